// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.storage.file.FileLayer.Mode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the layers over a real operating system must stand. */
abstract class RealFilesContract extends FileLayerContract {
    @TempDir
    Path temporary;

    @Override
    Path directory() {
        return temporary;
    }

    @Test
    void anInterruptStormNeverClosesAFileNorEndsACall() throws Exception {
        int calls = 300;
        var failures = new ConcurrentLinkedQueue<Throwable>();
        var lostFlags = new AtomicLong();
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW)) {
            file.write(MemorySegment.ofArray(new byte[8192]), 0);
            List<Thread> workers = new ArrayList<>();
            for (int w = 0; w < 4; w++) {
                int worker = w;
                workers.add(Thread.ofPlatform().unstarted(() -> {
                    byte[] text = ("worker " + worker).getBytes(UTF_8);
                    for (int i = 0; i < calls; i++) {
                        Thread.currentThread().interrupt();
                        try (Arena arena = Arena.ofConfined()) {
                            file.write(MemorySegment.ofArray(text), worker * 100L);
                            byte[] back = new byte[text.length];
                            assertThat(file.read(MemorySegment.ofArray(back), worker * 100L))
                                    .isEqualTo(text.length);
                            assertThat(back).isEqualTo(text);
                            MemorySegment mapped = file.map(0, 8192, arena);
                            assertThat(mapped.get(ValueLayout.JAVA_BYTE, worker * 100L))
                                    .isEqualTo((byte) 'w');
                            if (i % 50 == 0) {
                                file.syncData();
                                layer().syncDirectory(directory());
                            }
                        } catch (Throwable t) {
                            failures.add(t);
                        }
                        if (!Thread.currentThread().isInterrupted()) {
                            lostFlags.incrementAndGet();
                        }
                    }
                }));
            }
            workers.forEach(Thread::start);
            var done = new AtomicBoolean();
            Thread storm = Thread.ofPlatform().start(() -> {
                while (!done.get()) {
                    workers.forEach(Thread::interrupt);
                    Thread.onSpinWait();
                }
            });
            for (Thread worker : workers) {
                worker.join(60_000);
                assertThat(worker.isAlive()).isFalse();
            }
            done.set(true);
            storm.join();
            assertThat(failures).isEmpty();
            assertThat(lostFlags).hasValue(0);
            assertThat(text(file, 0, 8)).isEqualTo("worker 0");
        }
    }

    @Test
    void closingDuringCallsNeverTouchesAnotherFile() throws Exception {
        for (int round = 0; round < 100; round++) {
            Path victim = directory().resolve("victim-" + round);
            StoreFile file = layer().open(directory().resolve("f-" + round), Mode.CREATE_NEW);
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        file.write(heap("garbage"), 0);
                    }
                } catch (IOException closed) {
                    // The file was closed: that is how this loop ends.
                }
            });
            file.close();
            try (StoreFile other = layer().open(victim, Mode.CREATE_NEW)) {
                writer.join(30_000);
                assertThat(writer.isAlive()).isFalse();
                assertThat(other.size()).isZero();
            }
        }
    }

    @Test
    @Tag("root")
    void aFullDiskIsToldApartAndTakesWritesAgain() throws Exception {
        Path mount = Files.createDirectory(directory().resolve("small"));
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount.toString());
        try {
            byte[] much = new byte[3 << 20];
            try (StoreFile file = layer().open(mount.resolve("f"), Mode.CREATE_NEW)) {
                assertThatThrownBy(() -> file.write(MemorySegment.ofArray(much), 0))
                        .isInstanceOf(NoSpaceException.class);
                file.truncate(0);
                assertThatThrownBy(() -> file.allocate(0, much.length)).isInstanceOf(NoSpaceException.class);
                file.truncate(0);
                file.write(heap("again"), 0);
                assertThat(text(file, 0, 5)).isEqualTo("again");
            }
        } finally {
            run("umount", mount.toString());
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }
}
