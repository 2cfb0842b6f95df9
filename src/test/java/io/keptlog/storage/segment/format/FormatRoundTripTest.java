// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.producer.ProducerStates;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each file comes back as it was written; any wrong bit is seen. */
class FormatRoundTripTest {
    private static final PartitionRef REF = new PartitionRef(1, 2, 3);
    private final SimulatedFiles files = new SimulatedFiles(1, SimulatedFiles.Options.HARSH);
    private final Path file = SimulatedFiles.ROOT.resolve("file");

    private static Checkpoint checkpoint(Random random, long incarnation) {
        long segment = random.nextLong() >>> 20;
        long end = segment + random.nextInt(1000);
        return new Checkpoint(
                1 + random.nextInt(1000),
                incarnation,
                random.nextLong(segment + 1),
                segment + random.nextInt(5),
                segment,
                4096 + 8L * random.nextInt(1000),
                new FrameChain(end, random.nextInt(), random.nextLong() >>> 1, random.nextLong() >>> 1),
                random.nextBoolean());
    }

    private void flip(Path path, int bit) throws IOException {
        try (var open = files.open(path, FileLayer.Mode.READ_WRITE)) {
            MemorySegment one = MemorySegment.ofArray(new byte[1]);
            assertThat(open.read(one, bit / 8)).isEqualTo(1);
            byte old = one.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0);
            one.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) (old ^ (1 << bit % 8)));
            open.write(one, bit / 8);
        }
    }

    private int bits(Path path) throws IOException {
        try (var open = files.open(path, FileLayer.Mode.READ)) {
            return Math.toIntExact(open.size() * 8);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void segmentHeader(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            var header = new SegmentHeader(
                    new PartitionRef(random.nextInt() >>> 1, random.nextInt() >>> 1, random.nextInt() >>> 1),
                    random.nextLong(),
                    random.nextLong() >>> 1,
                    random.nextLong());
            var bytes = new byte[SegmentHeader.BYTES];
            header.write(MemorySegment.ofArray(bytes));
            assertThat(SegmentHeader.read(MemorySegment.ofArray(bytes)))
                    .as("seed %d", seed)
                    .isEqualTo(header);
            bytes[random.nextInt(64)] ^= (byte) (1 << random.nextInt(8));
            assertThat(SegmentHeader.read(MemorySegment.ofArray(bytes))).isNull();
        }
        assertThat(SegmentHeader.read(MemorySegment.ofArray(new byte[4096]))).isNull();
        assertThat(SegmentHeader.read(MemorySegment.ofArray(new byte[10]))).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void checkpointBytes(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Checkpoint written = checkpoint(random, random.nextLong());
            var bytes = new byte[Checkpoint.BYTES];
            written.write(MemorySegment.ofArray(bytes), 0);
            assertThat(Checkpoint.read(MemorySegment.ofArray(bytes), 0))
                    .as("seed %d", seed)
                    .isEqualTo(written);
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            assertThat(Checkpoint.read(MemorySegment.ofArray(bytes), 0)).isNull();
        }
    }

    @Test
    void theNewerCheckpointCountsAndEitherSlotMayBeLost() throws IOException {
        Checkpoint first = Checkpoint.beginning(7);
        CheckpointFile.create(files, file, first);
        assertThat(CheckpointFile.read(files, file, 7)).isEqualTo(new CheckpointFile.Content(first, null, false));
        assertThat(CheckpointFile.read(files, file, 8)).isEqualTo(new CheckpointFile.Content(null, null, true));
        Checkpoint second = first.next(0, 0, 0, 5000, new FrameChain(9, 1, 2, 3));
        CheckpointFile.put(files, file, second);
        assertThat(CheckpointFile.read(files, file, 7)).isEqualTo(new CheckpointFile.Content(second, first, false));
        Checkpoint third = second.next(0, 0, 0, 6000, new FrameChain(19, 1, 2, 3));
        CheckpointFile.put(files, file, third);
        assertThat(CheckpointFile.read(files, file, 7)).isEqualTo(new CheckpointFile.Content(third, second, false));
        flip(file, 4096 * 8 + 100);
        assertThat(CheckpointFile.read(files, file, 7)).isEqualTo(new CheckpointFile.Content(second, null, true));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void epochs(long seed) throws IOException {
        var random = new Random(seed);
        var entries = new ArrayList<EpochHistory.Entry>();
        long epoch = 0;
        long base = -1;
        for (int i = random.nextInt(20); i >= 0; i--) {
            epoch += 1 + random.nextInt(5);
            base += 1 + random.nextInt(500);
            entries.add(new EpochHistory.Entry(epoch, base));
        }
        var history = new EpochHistory(entries);
        EpochFile.write(files, file, 5, history);
        assertThat(EpochFile.read(files, file, 5)).as("seed %d", seed).isEqualTo(history);
        assertThat(EpochFile.read(files, file, 6)).isNull();
        for (int i = 0; i < 50; i++) {
            int bit = random.nextInt(bits(file));
            flip(file, bit);
            assertThat(EpochFile.read(files, file, 5)).isNull();
            flip(file, bit);
        }
        assertThat(EpochFile.read(files, SimulatedFiles.ROOT.resolve("absent"), 5))
                .isNull();
    }

    @Test
    void epochsAnswerWhatAReaderAsks() {
        EpochHistory history =
                EpochHistory.EMPTY.with(3, 0).with(3, 10).with(5, 100).with(9, 250);
        assertThat(history.at(0)).isEqualTo(3);
        assertThat(history.at(99)).isEqualTo(3);
        assertThat(history.at(100)).isEqualTo(5);
        assertThat(history.at(1000)).isEqualTo(9);
        assertThat(history.endOf(3, 300)).isEqualTo(100);
        assertThat(history.endOf(4, 300)).isEqualTo(100);
        assertThat(history.endOf(5, 300)).isEqualTo(250);
        assertThat(history.endOf(9, 300)).isEqualTo(300);
        assertThat(history.cutAt(100)).isEqualTo(EpochHistory.EMPTY.with(3, 0));
        assertThat(history.from(120)).isEqualTo(EpochHistory.EMPTY.with(5, 100).with(9, 250));
        assertThat(EpochHistory.EMPTY.newest()).isZero();
        assertThatThrownBy(() -> new EpochHistory(List.of(new EpochHistory.Entry(2, 5), new EpochHistory.Entry(2, 6))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void cleanMarker(long seed) throws IOException {
        var random = new Random(seed);
        Map<PartitionRef, Checkpoint> ends = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            ends.put(new PartitionRef(random.nextInt(9), random.nextInt(9), i), checkpoint(random, 4));
        }
        var marker = new CleanMarker(ends);
        marker.write(files, SimulatedFiles.ROOT);
        assertThat(CleanMarker.read(files, SimulatedFiles.ROOT))
                .as("seed %d", seed)
                .isEqualTo(marker);
        PartitionRef one = ends.keySet().iterator().next();
        assertThat(marker.end(one, 4)).isEqualTo(ends.get(one));
        assertThat(marker.end(one, 5)).isNull();
        Path clean = SimulatedFiles.ROOT.resolve("clean");
        for (int i = 0; i < 50; i++) {
            int bit = random.nextInt(bits(clean));
            flip(clean, bit);
            assertThat(CleanMarker.read(files, SimulatedFiles.ROOT)).isEqualTo(CleanMarker.NONE);
            flip(clean, bit);
        }
        assertThat(CleanMarker.take(files, SimulatedFiles.ROOT)).isEqualTo(marker);
        SimulatedFiles after = files.powerCut(random);
        assertThat(CleanMarker.take(after, SimulatedFiles.ROOT)).isEqualTo(CleanMarker.NONE);
    }

    @Test
    void aTakenCleanMarkLivesOnInTheCheckpoint() throws IOException {
        var spec = new PartitionSpec(REF, 77, LogOptions.defaults(Durability.PERSISTED));
        PartitionPaths paths = PartitionPaths.inPlace(SimulatedFiles.ROOT, REF);
        files.createDirectories(paths.directory());
        CheckpointFile.create(files, paths.checkpoint(), Checkpoint.beginning(77));
        Checkpoint end = new Checkpoint(2, 77, 0, 0, 0, 9000, new FrameChain(12, 3, 4, 5), true);
        new CleanMarker(Map.of(spec.ref(), end)).write(files, SimulatedFiles.ROOT);
        CleanMarker.take(files, SimulatedFiles.ROOT);
        assertThat(CheckpointFile.read(files, paths.checkpoint(), 77).newest()).isEqualTo(end);
    }

    @Test
    void producersComeBackWithTheirPointAndAnyWrongBitIsSeen() throws IOException {
        var states = new ProducerStates();
        states.applied(new ProducerStamp(-7, -1, -90), 3, 10, 4, 1_000);
        states.applied(new ProducerStamp(8, 0, 0), 1, 13, 4, 1_001);
        states.applied(new ProducerStamp(-7, -1, -87), 2, 14, 5, 1_002);
        var point = new ProducersFile.Point(5, 4096, new FrameChain(16, 3, 5, 1_002));
        ProducersFile.write(files, file, 77, point, states.list());
        ProducersFile.Content read = ProducersFile.read(files, file, 77);
        assertThat(read.point()).isEqualTo(point);
        assertThat(read.states().list()).isEqualTo(states.list());
        assertThat(ProducersFile.read(files, file, 78)).isNull();
        for (int bit = 0; bit < bits(file); bit++) {
            flip(file, bit);
            assertThat(ProducersFile.read(files, file, 77)).as("bit " + bit).isNull();
            flip(file, bit);
        }
        assertThat(ProducersFile.read(files, file, 77)).isNotNull();
    }

    @Test
    void paths() {
        var spec = new PartitionSpec(REF, -1, LogOptions.defaults(Durability.PERSISTED));
        PartitionPaths paths = PartitionPaths.inPlace(Path.of("/d"), REF);
        assertThat(paths.directory()).isEqualTo(Path.of("/d/streams/1/topics/2/partitions/3"));
        assertThat(PartitionPaths.fresh(Path.of("/d"), spec).directory())
                .isEqualTo(Path.of("/d/fresh/1-2-3-ffffffffffffffff"));
        assertThat(PartitionPaths.logBase(paths.log(42))).hasValue(42);
        assertThat(PartitionPaths.logBase(paths.log(Long.MAX_VALUE))).hasValue(Long.MAX_VALUE);
        assertThat(PartitionPaths.logBase(paths.index(42))).isEmpty();
        assertThat(PartitionPaths.indexBase(paths.index(42))).hasValue(42);
        assertThat(PartitionPaths.logBase(Path.of("99999999999999999999.log"))).isEmpty();
        assertThat(PartitionPaths.logBase(Path.of("0000000000000000004x.log"))).isEmpty();
        assertThat(PartitionPaths.logBase(paths.next())).isEmpty();
    }
}
