// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ColdReadsTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    Path directory;

    private final AtomicInteger held = new AtomicInteger();
    private final CountDownLatch mayRead = new CountDownLatch(1);

    /** Counts, and lets its reader begin when {@link #mayRead} says so. */
    private final ColdReads.Held holder = new ColdReads.Held() {
        @Override
        public void hold() {
            held.incrementAndGet();
        }

        @Override
        public void release() {
            held.decrementAndGet();
        }
    };

    private MemorySegment mapped(Arena arena) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, arena);
        }
    }

    @Test
    void whatIsLoadedIsInMemoryAndLetGoOfAfterwards() throws IOException {
        try (Arena arena = Arena.ofShared();
                ColdReads reads = new ColdReads(Thread::new)) {
            MemorySegment memory = mapped(arena);
            reads.load(memory, holder);
            assertThat(ColdReads.inMemory(memory)).isTrue();
            assertThat(held).hasValue(0);
        }
    }

    @Test
    void memoryThatIsNoFileNeedsNoDisk() {
        assertThat(ColdReads.inMemory(MemorySegment.ofArray(new byte[8]))).isTrue();
    }

    @Test
    void whoWaitsTooLongOrComesWhenTooManyWaitIsToldToComeAgain() throws Exception {
        try (Arena arena = Arena.ofShared();
                ColdReads reads = new ColdReads(this::slow, 1, 1, 50)) {
            MemorySegment memory = mapped(arena);
            try {
                for (String place : new String[] {"reading", "waiting"}) {
                    assertThatThrownBy(() -> reads.load(memory, holder))
                            .as(place)
                            .isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                                    .isEqualTo(ErrorCode.TRANSIENT_NOT_ACCEPTED));
                }
                assertThat(held).as("both are still going to be read").hasValue(2);
                assertThatThrownBy(() -> reads.load(memory, holder)).isInstanceOf(KeptlogException.class);
                assertThat(held).as("the third was refused").hasValue(2);
            } finally {
                mayRead.countDown();
            }
            awaitNothingHeld();
        }
    }

    /** A thread that begins its work when it may. */
    private Thread slow(Runnable work) {
        return new Thread(() -> {
            try {
                mayRead.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            work.run();
        });
    }

    private void awaitNothingHeld() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (held.get() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertThat(held).hasValue(0);
    }

    @Test
    void anInterruptEndsNoWaitAndIsKept() throws IOException {
        try (Arena arena = Arena.ofShared();
                ColdReads reads = new ColdReads(Thread::new)) {
            MemorySegment memory = mapped(arena);
            Thread.currentThread().interrupt();
            reads.load(memory, holder);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aReadThatFailsIsAnIoException() throws IOException {
        try (Arena arena = Arena.ofShared();
                ColdReads reads = new ColdReads(Thread::new)) {
            MemorySegment memory = mapped(arena);
            // Behind the new end of the file there is nothing that could be read.
            Files.write(directory.resolve("file"), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            assertThatThrownBy(() -> reads.load(memory, holder)).isInstanceOf(IOException.class);
            assertThat(held).hasValue(0);
        }
    }
}
