// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.file.PosixFiles;
import io.keptlog.storage.frame.FrameScratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** The store alone, on the disk below target: frame encoding, append, group sync, the look for an offset. Run by bench/jmh.sh. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StoreBenchmark {
    private static final int READ_MESSAGES = 100_000;
    private static final long SEGMENT_BYTES = 128L << 20;

    @Param({"1", "1000"})
    public int messages;

    private final FrameScratch scratch = new FrameScratch();
    private MessageBatch batch = TestBatches.batch(1, 1);
    private Path directory = Path.of("target");
    private StoreNode node;
    private PartitionLog replicated;
    private PartitionLog persisted;
    private PartitionLog read;

    @Setup
    public void open() throws IOException {
        Files.createDirectories(directory);
        directory = Files.createTempDirectory(directory.toAbsolutePath(), "jmh");
        node = new StoreNode(new PosixFiles(), directory.resolve("data"));
        Random random = new Random(1);
        replicated = node.create(Durability.REPLICATED, random, SEGMENT_BYTES);
        persisted = node.create(Durability.PERSISTED, random, SEGMENT_BYTES);
        read = node.create(Durability.REPLICATED, random, SEGMENT_BYTES);
        batch = messages == 1 ? TestBatches.batch(1, 1024) : TestBatches.batch(messages, 256);
        for (int i = 0; i < READ_MESSAGES / messages; i++) {
            read.append(batch, Deadline.inMillis(10_000));
        }
    }

    @TearDown
    public void delete() throws IOException {
        node.close();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    @Benchmark
    public int encodeTheBodyOfAFrame() {
        try (FrameScratch.FrameBuffer frame = scratch.fill(batch)) {
            return frame.length();
        }
    }

    @Benchmark
    public long appendReplicated() {
        return replicated.append(batch, Deadline.inMillis(10_000)).baseOffset();
    }

    @Benchmark
    public long appendAndSyncAlone() {
        return appendPersisted();
    }

    @Benchmark
    @Threads(16)
    public long appendAndSyncInAGroupOfSixteen() {
        return appendPersisted();
    }

    private long appendPersisted() {
        long end = persisted.append(batch, Deadline.inMillis(10_000)).baseOffset() + batch.count();
        persisted.tail().awaitPersisted(end, Deadline.inMillis(10_000));
        return end;
    }

    @Benchmark
    public int findAnOffsetAndReadOneMessage() {
        long offset = ThreadLocalRandom.current().nextLong(read.status().endOffset());
        try (Slice slice = read.read(offset, 1, 1 << 20, Visibility.TOPIC)) {
            return slice.count();
        }
    }
}
