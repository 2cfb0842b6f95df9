// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Measures appends, group commit and reads of one log against the bare system calls, in one run. Arguments: directory, seconds per row,
 * payload bytes. Prints a table; asserts nothing.
 */
public final class AppendMeasurement {
    private final Path directory;
    private final long seconds;
    private final int payloadBytes;

    private AppendMeasurement(Path directory, long seconds, int payloadBytes) {
        this.directory = directory;
        this.seconds = seconds;
        this.payloadBytes = payloadBytes;
    }

    public static void main(String[] arguments) throws Exception {
        Path base = Path.of(arguments.length > 0 ? arguments[0] : System.getProperty("java.io.tmpdir"));
        Path directory = Files.createTempDirectory(base, "append-measurement");
        long seconds = arguments.length > 1 ? Long.parseLong(arguments[1]) : 3;
        int payloadBytes = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 256;
        try {
            new AppendMeasurement(directory, seconds, payloadBytes).run();
        } finally {
            try (var files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void run() throws Exception {
        System.out.printf(Locale.ROOT, "%-34s %12s %9s %9s %9s%n", "what", "per second", "p50 us", "p99 us", "max us");
        raw("raw pwrite", false);
        raw("raw pwrite + fdatasync", true);
        for (int threads : new int[] {1, 8, 64}) {
            log(Durability.REPLICATED, threads);
        }
        for (int threads : new int[] {1, 8, 64}) {
            log(Durability.PERSISTED, threads);
        }
        raw("raw pwrite + fdatasync again", true);
    }

    private void raw(String name, boolean sync) throws IOException {
        FileLayer files = FileLayers.system();
        Histogram nanos = new Histogram(3);
        long count = 0;
        try (StoreFile file = files.open(directory.resolve("raw" + System.nanoTime()), FileLayer.Mode.CREATE_NEW);
                Arena arena = Arena.ofConfined()) {
            long size = 64 << 20;
            for (long at = 0; at < size; at += SegmentSpace.ZEROS.byteSize()) {
                file.write(SegmentSpace.ZEROS, at);
            }
            file.syncData();
            int length = (96 + 44 + payloadBytes + 7) / 8 * 8;
            MemorySegment bytes = arena.allocate(length).fill((byte) 7);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            for (long at = 0; System.nanoTime() < end; at = at + 2L * length < size ? at + length : 0, count++) {
                long start = System.nanoTime();
                file.write(bytes, at);
                if (sync) {
                    file.syncData();
                }
                nanos.recordValue(System.nanoTime() - start);
            }
        }
        print(name, count, nanos, "");
    }

    private void log(Durability durability, int threads) throws Exception {
        try (StoreFixture fixture = new StoreFixture(
                FileLayers.system(), directory.resolve(durability + "-" + threads + "-" + System.nanoTime()))) {
            PartitionLog log = fixture.create(LogOptions.defaults(durability));
            write(log, durability, threads, 1, new ConcurrentHistogram(3));
            int syncsBefore = fixture.counts.syncs.size();
            Histogram nanos = new ConcurrentHistogram(3);
            long count = write(log, durability, threads, seconds, nanos);
            int syncs = fixture.counts.syncs.size() - syncsBefore;
            print(
                    durability.wireName() + ", " + threads + " virtual threads",
                    count,
                    nanos,
                    String.format(Locale.ROOT, "  %.1f acks a sync", count / (double) Math.max(1, syncs)));
            if (threads == 64) {
                read(log);
            }
        }
    }

    private long write(PartitionLog log, Durability durability, int threads, long forSeconds, Histogram nanos)
            throws InterruptedException {
        MessageBatch batch = TestBatches.batch(1, payloadBytes);
        AtomicLong count = new AtomicLong();
        CountDownLatch done = new CountDownLatch(threads);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(forSeconds);
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int t = 0; t < threads; t++) {
            Thread.ofVirtual().start(() -> {
                try {
                    long mine = 0;
                    for (long start = System.nanoTime(); start < end; mine++) {
                        Appended appended = log.append(batch, Deadline.inMillis(10_000));
                        if (durability == Durability.PERSISTED) {
                            log.tail().awaitPersisted(appended.endOffset(), Deadline.inMillis(10_000));
                        }
                        long now = System.nanoTime();
                        nanos.recordValue(now - start);
                        start = now;
                    }
                    count.addAndGet(mine);
                } catch (Throwable e) {
                    failures.add(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.getFirst());
        }
        return count.get();
    }

    private void read(PartitionLog log) {
        Histogram nanos = new Histogram(3);
        long messages = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long from = 0; System.nanoTime() < end; ) {
            long start = System.nanoTime();
            try (Slice slice = log.read(from, 1000, 16 << 20, Visibility.TOPIC)) {
                messages += slice.count();
                from = slice.count() == 0 ? 0 : slice.nextOffset();
            }
            nanos.recordValue(System.nanoTime() - start);
        }
        print("read 1,000 one-message frames", messages, nanos, "  messages a second");
    }

    private void print(String name, long count, Histogram nanos, String more) {
        System.out.printf(
                Locale.ROOT,
                "%-34s %,12d %9.1f %9.1f %9.0f%s%n",
                name,
                count / seconds,
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                nanos.getMaxValue() / 1e3,
                more);
    }
}
