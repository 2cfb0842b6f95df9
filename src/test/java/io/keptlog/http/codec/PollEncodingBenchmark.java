// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** A poll of 1000 × 256 B written by hand, and the same reply by an object mapper. Not a test: run the main method. */
@State(Scope.Thread)
@Fork(
        value = 1,
        jvmArgs = {"--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PollEncodingBenchmark {
    private final ProduceParsingBenchmark work = new ProduceParsingBenchmark();
    private final Arena arena = Arena.ofShared();
    private Slice slice = StoredMessage.sliceOf();

    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(PollEncodingBenchmark.class.getSimpleName())
                        .build())
                .run();
    }

    @Setup
    public void store() {
        byte[] body = ProduceParsingBenchmark.body();
        try (ProduceBody taken = work.codec().readJson(new ByteArrayInputStream(body), body.length)) {
            RecordRun heap = StoredMessage.runOf(taken.batch(), 1_000_000, 1_700_000_000_000_000L);
            MemorySegment mapped = arena.allocate(heap.records().byteSize());
            mapped.copyFrom(heap.records());
            slice = StoredMessage.sliceOf(
                    new RecordRun(mapped, heap.firstOffset(), heap.count(), heap.appendTimeMicros(), 1));
        }
    }

    @TearDown
    public void free() {
        arena.close();
    }

    @Benchmark
    public long byHand() throws IOException {
        return work.writeByHand(slice);
    }

    @Benchmark
    public long byObjectMapper() {
        return work.writeObjects(slice);
    }
}
