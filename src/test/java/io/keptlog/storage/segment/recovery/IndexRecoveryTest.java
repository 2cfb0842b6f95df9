// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The index is a cache: whatever happens to its file, the answers are the same (Iggy PR 3946, PR 3970). */
class IndexRecoveryTest {
    private final SimulatedFiles files = new SimulatedFiles(1, SimulatedFiles.Options.HARSH);
    private LogFixture log;
    private Path index;
    private byte[] good;

    @BeforeEach
    void threeSealedSegments() throws IOException {
        log = new LogFixture(files, SimulatedFiles.ROOT, 1);
        log.allocatedBytes = 256 << 10;
        log.create();
        for (int segment = 0; segment < 3; segment++) {
            for (int i = 0; i < 60; i++) {
                log.append();
            }
            log.seal();
        }
        log.append();
        log.sync();
        log.checkpoint(true);
        index = log.paths.index(log.bases().get(1));
        good = log.read(index);
    }

    private void replace(byte[] content) throws IOException {
        log.truncate(index, 0);
        log.write(index, 0, content);
    }

    private Recovered sameAnswers() throws IOException {
        return Recovered.from(log).serves(log).endsAt(log.endOffset()).finds(log);
    }

    private void rebuiltAndReported() throws IOException {
        Recovered found = sameAnswers();
        assertThat(found.reports())
                .singleElement()
                .matches(r -> r.found() == Found.DAMAGED_INDEX
                        && r.action() == RecoveryReport.Action.REBUILT
                        && r.fromOffset() == log.bases().get(1));
        assertThat(log.read(index)).isEqualTo(good);
        sameAnswers().reportsNothing();
    }

    @Test
    void intact() throws IOException {
        sameAnswers().reportsNothing();
    }

    @Test
    void missing() throws IOException {
        files.delete(index);
        rebuiltAndReported();
    }

    @Test
    void notWrittenYetWhenTheProcessWasKilled() throws IOException {
        files.delete(log.paths.index(log.bases().get(2)));
        sameAnswers().reportsNothing();
    }

    @Test
    void junkAppended() throws IOException {
        byte[] longer = Arrays.copyOf(good, good.length + 77);
        Arrays.fill(longer, good.length, longer.length, (byte) 7);
        replace(longer);
        rebuiltAndReported();
    }

    @Test
    void zerosAppended() throws IOException {
        replace(Arrays.copyOf(good, good.length + 4096));
        rebuiltAndReported();
    }

    @Test
    void allZeros() throws IOException {
        replace(new byte[good.length]);
        rebuiltAndReported();
    }

    @Test
    void empty() throws IOException {
        replace(new byte[0]);
        rebuiltAndReported();
    }

    @Test
    void cutOffAtEachEntry() throws IOException {
        for (int length = 0; length < good.length; length += 16) {
            replace(Arrays.copyOf(good, length));
            rebuiltAndReported();
        }
    }

    @Test
    void anyBitFlipped() throws IOException {
        var random = new Random(3);
        for (int i = 0; i < 100; i++) {
            byte[] flipped = good.clone();
            int at = random.nextInt(good.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            replace(flipped);
            rebuiltAndReported();
        }
    }

    @Test
    void entriesZeroedUnderAGoodHeader() throws IOException {
        byte[] zeroed = good.clone();
        Arrays.fill(zeroed, 128, zeroed.length, (byte) 0);
        replace(zeroed);
        rebuiltAndReported();
    }

    @Test
    void ofAnotherSegment() throws IOException {
        replace(log.read(log.paths.index(log.bases().get(2))));
        rebuiltAndReported();
    }

    @Test
    void behindOrAheadOfItsSegmentButWellFormed() throws IOException {
        for (int more : new int[] {-30, 30}) {
            LogFixture.Written last = log.frames.stream()
                    .filter(f -> f.segmentBase() == log.bases().get(1))
                    .toList()
                    .getLast();
            var stale = new SparseIndex(log.bases().get(1));
            stale.note(log.bases().get(1), 4096, 5);
            var summary = new SegmentSummary(
                    log.bases().get(1),
                    last.end() + more * 8L,
                    5,
                    new FrameChain(last.header().endOffset() + more, 4711, 1, 9));
            IndexFile.write(files, index, log.spec.incarnation(), summary, stale);
            rebuiltAndReported();
        }
    }

    @Test
    void ofFramesThatWereCutSinceThen() throws IOException {
        LogFixture.Written last = log.frames.stream()
                .filter(f -> f.segmentBase() == log.bases().get(1))
                .toList()
                .getLast();
        var summary = new SegmentSummary(
                log.bases().get(1), last.end(), 5, new FrameChain(last.header().endOffset(), 4711, 1, 9));
        var stale = new SparseIndex(log.bases().get(1));
        stale.note(log.bases().get(1), 4096, 5);
        IndexFile.write(files, index, log.spec.incarnation(), summary, stale);
        rebuiltAndReported();
    }

    @Test
    void killedWhileItIsRebuilt() throws IOException {
        for (int n = 0; n < 40; n++) {
            var own = new SimulatedFiles(n, SimulatedFiles.Options.HARSH);
            LogFixture again = new LogFixture(own, SimulatedFiles.ROOT, 1);
            again.create();
            again.append();
            again.seal();
            again.append();
            again.sync();
            again.checkpoint(true);
            again.write(again.paths.index(0), 0, new byte[300]);
            own.stopAfter(n);
            Recovered.from(own, again);
            SimulatedFiles next = own.powerCut(new Random(n));
            Recovered.from(next, again)
                    .serves(next, again)
                    .endsAt(again.endOffset())
                    .finds(again);
        }
    }

    @Test
    void sealedSegmentsAreNotReadAtTheStart() throws IOException {
        log.checkpoint(true); // Reading begins at the older of the two.
        var faulty = new FaultyFiles(files);
        Recovered found = Recovered.from(faulty, log).serves(log).endsAt(log.endOffset());
        long readAtStart = faulty.events().stream()
                .filter(e -> e.call() == Call.READ
                        && e.path().equals(log.paths.log(log.bases().get(0))))
                .mapToLong(FaultyFiles.Event::length)
                .sum();
        assertThat(readAtStart).isLessThanOrEqualTo(4096 + 96);
        assertThat(found.partition.segments()).hasSize(4);
    }

    @Test
    void theListOfEpochsIsMadeAgainFromTheFrames() throws IOException {
        Recovered first = Recovered.from(log).serves(log);
        LogFixture next = LogFixture.resume(log, files, first.partition, 9);
        next.append();
        next.seal();
        next.append();
        next.sync();
        next.checkpoint(true);
        EpochHistory expected = next.epochs();
        assertThat(expected.entries()).hasSize(2);
        for (int kind = 0; kind < 3; kind++) {
            Path epochs = next.paths.epochs();
            switch (kind) {
                case 0 -> files.delete(epochs);
                case 1 -> next.write(epochs, 20, new byte[] {1, 2, 3});
                default -> next.truncate(epochs, 5);
            }
            Recovered found = Recovered.from(next).serves(next);
            assertThat(found.partition.epochs()).isEqualTo(expected);
            assertThat(found.reports()).hasSize(kind == 0 ? 0 : 1);
            Recovered again = Recovered.from(next).serves(next).reportsNothing();
            assertThat(again.partition.epochs()).isEqualTo(expected);
        }
    }

    @Test
    void aFullDiskDoesNotKeepAnIndexFromServing() throws IOException {
        files.delete(index);
        var faulty = new FaultyFiles(files);
        faulty.failFrom(
                Call.WRITE,
                p -> p.toString().contains(".index"),
                1,
                () -> new io.keptlog.storage.file.NoSpaceException("full"));
        Recovered.from(faulty, log).serves(log).endsAt(log.endOffset()).finds(log);
    }

    @Test
    void theActiveSegmentsIndexIsMadeUpFromItsFramesWhenItIsNeeded() throws IOException {
        var big = new LogFixture(files, SimulatedFiles.ROOT, 5, new io.keptlog.domain.PartitionRef(0, 0, 1));
        big.allocatedBytes = 4 << 20;
        big.create();
        while (big.position() < 3 << 20) {
            big.append(payload(20_000), payload(20_000));
            if (big.frames.size() % 20 == 0) {
                big.sync();
                big.checkpoint(true);
            }
        }
        try (var file = files.open(big.activeFile(), FileLayer.Mode.READ)) {
            assertThat(file.read(MemorySegment.ofArray(new byte[8]), 4096)).isEqualTo(8);
        }
        Recovered found = Recovered.from(big).serves(big).endsAt(big.endOffset());
        assertThat(found.partition.active().index().entries()).isLessThan(big.frames.size());
        for (LogFixture.Written frame : big.frames) {
            assertThat(found.partition
                            .active()
                            .index()
                            .floorPosition(frame.header().baseOffset()))
                    .isEqualTo(frame.position());
        }
        assertThat(found.partition.active().index().entries()).isEqualTo(big.frames.size());
    }

    private static byte[] payload(int length) {
        var bytes = new byte[length];
        Arrays.fill(bytes, (byte) 'a');
        return bytes;
    }
}
