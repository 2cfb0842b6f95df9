// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.recovery.RecoveredPartition.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One kind of trouble on disk at a time, and what recovery must make of it (requirements A12, D5). */
class DamageKindsTest {
    private final SimulatedFiles files = new SimulatedFiles(1, SimulatedFiles.Options.HARSH);

    private LogFixture log(long seed) throws IOException {
        return new LogFixture(files, SimulatedFiles.ROOT, seed).create();
    }

    /** Some persisted and checkpointed frames, then unsynced ones. */
    private LogFixture persistedThenNot(long seed, int persisted, int unsynced) throws IOException {
        LogFixture log = log(seed);
        for (int i = 0; i < persisted; i++) {
            log.append();
        }
        log.sync();
        log.checkpoint(true);
        for (int i = 0; i < unsynced; i++) {
            log.append();
        }
        return log;
    }

    @Test
    void aFreshPartitionIsAppendableAndNothingIsWritten() throws IOException {
        LogFixture log = log(1);
        var faulty = new FaultyFiles(files);
        Recovered.from(faulty, log).serves(log).endsAt(0).reportsNothing();
        assertThat(faulty.count(Call.WRITE)).isZero();
    }

    @Test
    void everythingInTheFilesIsKeptRewrittenAndSynced() throws IOException {
        LogFixture log = persistedThenNot(2, 5, 5);
        var faulty = new FaultyFiles(files);
        long evidencePosition = log.lastCheckpoint().position();
        Recovered found =
                Recovered.from(faulty, log).serves(log).endsAt(log.endOffset()).reportsNothing();
        assertThat(faulty.events())
                .as("every byte above the checkpoint is written again, none below it")
                .filteredOn(e -> e.call() == Call.WRITE && e.path().equals(log.activeFile()))
                .first()
                .matches(e -> e.position() == evidencePosition && e.length() == log.position() - evidencePosition);
        assertThat(found.partition.checkpoint().endOffset()).isEqualTo(log.endOffset());
        assertThat(found.partition.epochs()).isEqualTo(log.epochs());
        SimulatedFiles after = files.powerCut(new Random(3));
        Recovered.from(after, log).serves(after, log).endsAt(log.endOffset()).reportsNothing();
    }

    @Test
    void aSecondRecoveryChangesNothing() throws IOException {
        LogFixture log = persistedThenNot(3, 5, 5);
        Recovered.from(log).serves(log);
        var faulty = new FaultyFiles(files);
        Recovered.from(faulty, log).serves(log).endsAt(log.endOffset()).reportsNothing();
        assertThat(faulty.count(Call.WRITE)).isZero();
    }

    @Test
    void zerosAppendedAreNoTail() throws IOException {
        LogFixture log = persistedThenNot(4, 3, 3);
        log.write(log.activeFile(), log.allocatedBytes, new byte[4 << 20]);
        Recovered.from(log).serves(log).endsAt(log.endOffset()).reportsNothing();
    }

    @Test
    void garbageBehindTheTailIsCutAndKept() throws IOException {
        for (long at : new long[] {0, 8, 13, 5000, 200_000}) {
            LogFixture log = new LogFixture(
                            new SimulatedFiles(at, SimulatedFiles.Options.HARSH), SimulatedFiles.ROOT, at)
                    .create();
            log.append();
            var garbage = new byte[10_000];
            new Random(at).nextBytes(garbage);
            log.write(log.activeFile(), log.position() + at, garbage);
            Recovered found = Recovered.from(log).serves(log).endsAt(log.endOffset());
            assertThat(found.reports()).singleElement().satisfies(r -> {
                assertThat(r.action()).isEqualTo(Action.CUT);
                assertThat(r.found()).isEqualTo(Found.TORN_TAIL);
                assertThat(r.fromPosition()).isEqualTo(log.position());
                assertThat(log.read(log.dataDir.resolve(r.quarantineFile()))).endsWith(garbage);
            });
            Recovered.from(log).serves(log).endsAt(log.endOffset()).reportsNothing();
        }
    }

    @Test
    void theLastPageZeroedIsCutWhenNothingSaysItWasPersisted() throws IOException {
        LogFixture log = persistedThenNot(5, 4, 40);
        long from = log.position() - 4096;
        log.write(log.activeFile(), from, new byte[4096]);
        Recovered found = Recovered.from(log).serves(log);
        long kept = log.frames.stream().filter(f -> f.end() <= from).count();
        assertThat(found.partition.endOffset())
                .isEqualTo(log.frames.get((int) kept - 1).header().endOffset());
        assertThat(found.reports()).allMatch(r -> r.action() == Action.CUT && r.acknowledgedPossible());
    }

    @Test
    void theLastPageZeroedIsDamageBelowTheCheckpoint() throws IOException {
        LogFixture log = persistedThenNot(6, 40, 0);
        log.write(log.activeFile(), log.position() - 4096, new byte[4096]);
        byte[] before = log.read(log.activeFile());
        Recovered found = Recovered.from(log).isRefused().reads(files, log);
        assertThat(found.partition.damage().toOffset()).isEqualTo(log.persistedEnd);
        assertThat(log.read(log.activeFile())).isEqualTo(before);
        assertThat(Recovered.from(files, log.dataDir, log.spec, found.reports)
                        .isRefused()
                        .reports())
                .as("the same damage is not reported at each start")
                .hasSize(1);
    }

    @Test
    void anyBitFlippedBelowTheCheckpointIsRefusedOrHarmsNothingThatIsServed() throws IOException {
        LogFixture log = persistedThenNot(7, 6, 0);
        var random = new Random(7);
        for (int i = 0; i < 150; i++) {
            LogFixture.Written frame = log.frames.get(random.nextInt(log.frames.size()));
            long at = frame.position() + random.nextInt(frame.bytes().length);
            int bit = random.nextInt(8);
            log.flip(log.activeFile(), at, bit);
            Recovered.from(log)
                    .isRefused()
                    .reads(files, log)
                    .endsAt(frame.header().baseOffset());
            log.flip(log.activeFile(), at, bit);
        }
        Recovered.from(log).serves(log).endsAt(log.endOffset());
    }

    @Test
    void anyBitFlippedAboveTheCheckpointIsRefused() throws IOException {
        LogFixture log = persistedThenNot(8, 3, 6);
        log.sync();
        var random = new Random(8);
        for (int i = 0; i < 150; i++) {
            LogFixture.Written frame = log.frames.get(3 + random.nextInt(6));
            int in = random.nextInt(frame.bytes().length);
            int bit = random.nextInt(8);
            log.flip(log.activeFile(), frame.position() + in, bit);
            Recovered found = Recovered.from(log);
            assertThat(found.partition.state())
                    .as("byte %d bit %d of a frame of %d bytes", in, bit, frame.bytes().length)
                    .isEqualTo(State.REFUSED);
            found.reads(files, log).endsAt(frame.header().baseOffset());
            log.flip(log.activeFile(), frame.position() + in, bit);
        }
    }

    @Test
    void aTailCutOffAtEachByteIsCut() throws IOException {
        var payload = new byte[450];
        java.util.Arrays.fill(payload, (byte) 'x');
        for (boolean truncate : new boolean[] {true, false}) {
            int length = Integer.MAX_VALUE;
            for (int keep = 0; keep < length; keep++) {
                LogFixture log = new LogFixture(
                                new SimulatedFiles(keep, SimulatedFiles.Options.HARSH), SimulatedFiles.ROOT, 9)
                        .create();
                log.append();
                log.sync();
                log.checkpoint(true);
                log.append();
                LogFixture.Written last = log.append(payload, new byte[] {1, 2, 3});
                length = last.bytes().length;
                log.truncate(log.activeFile(), last.position() + keep);
                if (!truncate) {
                    log.truncate(log.activeFile(), log.allocatedBytes);
                }
                Recovered found = Recovered.from(log);
                boolean intact = !truncate && keep >= last.header().bodyLength() + 96;
                found.serves(log)
                        .endsAt(
                                intact
                                        ? last.header().endOffset()
                                        : last.header().baseOffset());
                if (keep > 0 && !intact) {
                    assertThat(found.reports())
                            .as("cut at %d", keep)
                            .singleElement()
                            .matches(r -> r.action() == Action.CUT
                                    && r.acknowledgedPossible()
                                    && r.fromOffset() == last.header().baseOffset());
                }
            }
        }
    }

    @Test
    void aHoleBeforeFramesThatKnewOfLaterPersistenceIsDamage() throws IOException {
        LogFixture log = persistedThenNot(10, 2, 3);
        LogFixture.Written hole = log.append(new byte[1500]);
        log.sync();
        log.append();
        log.write(log.activeFile(), hole.position(), new byte[hole.bytes().length]);
        Recovered found = Recovered.from(log)
                .isRefused()
                .reads(files, log)
                .endsAt(hole.header().baseOffset());
        assertThat(found.partition.damage().reason()).contains("persisted");
    }

    @Test
    void aHoleBeforeFramesThatKnewOfNoPersistenceIsATornTail() throws IOException {
        LogFixture log = persistedThenNot(11, 2, 3);
        LogFixture.Written hole = log.append(new byte[1500]);
        log.append();
        LogFixture.Written last = log.append();
        log.write(log.activeFile(), hole.position(), new byte[hole.bytes().length]);
        Recovered found = Recovered.from(log).serves(log).endsAt(hole.header().baseOffset());
        assertThat(found.reports()).singleElement().satisfies(r -> {
            assertThat(r.toOffset()).isEqualTo(last.header().endOffset());
            assertThat(r.toPosition()).isLessThanOrEqualTo(last.end());
        });
        var rest = log.read(log.activeFile());
        assertThat(java.util.Arrays.copyOfRange(rest, (int) hole.position(), rest.length))
                .containsOnly(0);
    }

    @Test
    void newestSegmentRemovedOrEmptiedIsRefusedAndNothingIsMade() throws IOException {
        for (int kind = 0; kind < 4; kind++) {
            var own = new SimulatedFiles(kind, SimulatedFiles.Options.HARSH);
            LogFixture log = new LogFixture(own, SimulatedFiles.ROOT, 12).create();
            log.append();
            log.append();
            log.seal();
            long sealedEnd = log.endOffset();
            log.append();
            log.sync();
            log.checkpoint(true);
            Path newest = log.activeFile();
            switch (kind) {
                case 0 -> own.delete(newest);
                case 1 -> log.truncate(newest, 0);
                case 2 -> log.write(newest, 0, new byte[(int) log.allocatedBytes]);
                default -> log.truncate(newest, SegmentHeader.BYTES);
            }
            Recovered found = Recovered.from(log).isRefused().reads(own, log).endsAt(sealedEnd);
            assertThat(found.partition.damage().fromOffset()).isEqualTo(sealedEnd);
            assertThat(found.partition.damage().toOffset()).isEqualTo(log.endOffset());
            assertThat(own.exists(newest)).isEqualTo(kind != 0);
        }
    }

    @Test
    void anOnlySegmentRemovedIsRefused() throws IOException {
        LogFixture log = log(13);
        log.append();
        log.sync();
        files.delete(log.activeFile());
        Recovered.from(log).isRefused();
    }

    @Test
    void anEmptyNewestSegmentThatVanishedIsRefusedToo() throws IOException {
        LogFixture log = log(14);
        log.append();
        log.seal();
        log.checkpoint(true);
        files.delete(log.activeFile());
        assertThat(Recovered.from(log).isRefused().partition.damage().reason()).contains("missing");
    }

    @Test
    void aMiddleSegmentRemovedIsRefusedUpToIt() throws IOException {
        LogFixture log = log(15);
        for (int i = 0; i < 4; i++) {
            log.append();
            log.append();
            log.seal();
        }
        log.checkpoint(true);
        long removed = log.bases().get(2);
        files.delete(log.paths.log(removed));
        Recovered.from(log).isRefused().reads(files, log).endsAt(removed);
    }

    @Test
    void theOldestSegmentRemovedIsRefused() throws IOException {
        LogFixture log = log(16);
        log.append();
        log.seal();
        log.append();
        log.sync();
        log.checkpoint(true);
        files.delete(log.paths.log(0));
        Recovered.from(log).isRefused();
    }

    @Test
    void segmentsWhoseDeletionWasDecidedAreGoneAfterTheStart() throws IOException {
        LogFixture log = log(17);
        for (int i = 0; i < 3; i++) {
            log.append();
            log.seal();
        }
        log.append();
        log.sync();
        log.startAt(log.bases().get(2));
        Recovered found =
                Recovered.from(log).serves(log).endsAt(log.endOffset()).finds(log);
        assertThat(found.partition.firstOffset()).isEqualTo(log.bases().get(2));
        assertThat(files.exists(log.paths.log(0))).isFalse();
        assertThat(files.exists(log.paths.log(log.bases().get(1)))).isFalse();
        Recovered.from(log).serves(log).endsAt(log.endOffset()).reportsNothing();
    }

    @Test
    void aLogOfOneEmptySegmentGoesOnFromTheFrameThatWasDeletedBeforeIt() throws IOException {
        LogFixture log = log(17);
        LogFixture.Written last = log.append();
        log.seal();
        log.checkpoint(true);
        log.startAt(log.endOffset());
        Recovered found = Recovered.from(log).endsAt(log.endOffset());
        assertThat(files.exists(log.paths.log(0))).isFalse();
        found = Recovered.from(log).endsAt(log.endOffset());
        assertThat(found.partition.end().lastHeaderCrc()).isEqualTo(last.headerCrc());
        assertThat(found.partition.end().lastAppendTimeMicros())
                .isEqualTo(last.header().appendTimeMicros());
    }

    @Test
    void aSegmentOfAnotherLifeIsRefused() throws IOException {
        LogFixture log = log(18);
        log.append();
        log.seal();
        byte[] header = new byte[SegmentHeader.BYTES];
        new SegmentHeader(LogFixture.REF, log.spec.incarnation() + 1, log.endOffset(), 1)
                .write(java.lang.foreign.MemorySegment.ofArray(header));
        log.write(log.activeFile(), 0, header);
        Recovered.from(log).isRefused().reads(files, log).endsAt(log.endOffset());
    }

    @Test
    void aStaleFrameBehindTheTailIsNeverServed() throws IOException {
        LogFixture log = log(19);
        log.append();
        var cutAway = log.append(new byte[700]);
        var stale = log.append(new byte[300]);
        // The second frame was lost and another one of the same length took its place; the third is from before.
        log.write(log.activeFile(), cutAway.position(), new byte[cutAway.bytes().length]);
        Recovered first = Recovered.from(log)
                .serves(log)
                .endsAt(1 + log.frames.getFirst().header().endOffset() - 1);
        LogFixture again = LogFixture.resume(log, files, first.partition, 20);
        var replacement = again.append(new byte[700]);
        assertThat(replacement.end()).isEqualTo(stale.position());
        log.write(log.activeFile(), stale.position(), stale.bytes());
        Recovered found =
                Recovered.from(again).serves(again).endsAt(replacement.header().endOffset());
        assertThat(found.reports()).singleElement().matches(r -> r.action() == Action.CUT);
        assertThat(found.partition.epochs().endOf(1, found.partition.endOffset()))
                .isEqualTo(replacement.header().baseOffset());
    }

    @Test
    void aReadErrorIsRefusedAndNothingIsChanged() throws IOException {
        LogFixture log = persistedThenNot(21, 3, 3);
        var faulty = new FaultyFiles(files);
        faulty.failFrom(
                Call.READ, p -> p.equals(log.activeFile()), 2, () -> new IOException("Input/output error (EIO)"));
        Recovered found = Recovered.from(faulty, log).isRefused();
        assertThat(found.reports()).singleElement().matches(r -> r.found() == Found.READ_ERROR);
        assertThat(faulty.count(Call.WRITE)).isZero();
        faulty.heal();
        Recovered.from(faulty, log).serves(log).endsAt(log.endOffset());
    }

    @Test
    void noRoomForTheQuarantineMeansReadOnlyUntilThereIs() throws IOException {
        LogFixture log = persistedThenNot(22, 3, 3);
        LogFixture.Written last = log.frames.getLast();
        log.truncate(log.activeFile(), last.end() - 9);
        byte[] before = log.read(log.activeFile());
        var faulty = new FaultyFiles(files);
        faulty.failFrom(
                Call.WRITE,
                p -> p.toString().contains("quarantine"),
                1,
                () -> new NoSpaceException("No space left on device"));
        Recovered found = Recovered.from(faulty, log);
        assertThat(found.partition.state()).isEqualTo(State.READ_ONLY);
        found.reads(files, log).endsAt(last.header().baseOffset());
        assertThat(found.cuts).isEmpty();
        assertThat(found.reports()).singleElement().matches(r -> r.action() == Action.READ_ONLY);
        assertThat(log.read(log.activeFile())).isEqualTo(before);
        assertThat(files.list(log.dataDir.resolve("quarantine"))).isEmpty();
        faulty.heal();
        Recovered.from(faulty, log).serves(log).endsAt(last.header().baseOffset());
    }

    @Test
    void twoCutsKeepTwoCopies() throws IOException {
        LogFixture log = persistedThenNot(23, 2, 0);
        for (int i = 1; i <= 2; i++) {
            log.write(log.activeFile(), log.position(), new byte[] {(byte) i, 2, 3});
            Recovered found = Recovered.from(log).serves(log);
            RecoveryReport report = found.reports().getFirst();
            assertThat(log.read(log.dataDir.resolve(report.quarantineFile()))).containsExactly(i, 2, 3);
        }
        assertThat(files.list(log.dataDir.resolve("quarantine"))).hasSize(2);
    }

    @Test
    void anEndThatDisagreesWithTheCleanMarkIsDamageAtEveryStart() throws IOException {
        LogFixture log = persistedThenNot(24, 4, 0);
        log.append();
        log.sync();
        Checkpoint end = log.lastCheckpoint()
                .next(
                        0,
                        0,
                        0,
                        log.position(),
                        new io.keptlog.storage.frame.FrameChain(
                                log.endOffset(),
                                log.frames.getLast().headerCrc(),
                                1,
                                log.frames.getLast().header().appendTimeMicros()));
        new CleanMarker(Map.of(LogFixture.REF, end)).write(files, log.dataDir);
        LogFixture.Written last = log.frames.getLast();
        log.write(log.activeFile(), last.position(), new byte[last.bytes().length]);
        for (int start = 0; start < 3; start++) {
            Recovered.from(log)
                    .isRefused()
                    .reads(files, log)
                    .endsAt(last.header().baseOffset());
            assertThat(files.exists(log.dataDir.resolve("clean"))).isFalse();
        }
    }

    @Test
    void framesBeyondACleanEndAreDamage() throws IOException {
        LogFixture log = persistedThenNot(25, 4, 0);
        new CleanMarker(Map.of(LogFixture.REF, log.lastCheckpoint())).write(files, log.dataDir);
        log.append();
        Recovered.from(log).isRefused().reads(files, log);
    }

    @Test
    void anEndThatAgreesWithTheCleanMarkNeedsNoWrite() throws IOException {
        LogFixture log = persistedThenNot(26, 4, 0);
        new CleanMarker(Map.of(LogFixture.REF, log.lastCheckpoint())).write(files, log.dataDir);
        var faulty = new FaultyFiles(files);
        Recovered.from(faulty, log).serves(log).endsAt(log.endOffset()).reportsNothing();
        assertThat(faulty.count(Call.WRITE)).isZero();
    }

    @Test
    void aDamagedCheckpointIsReportedAndEverythingIsReadInstead() throws IOException {
        for (boolean removed : new boolean[] {false, true}) {
            LogFixture log = new LogFixture(
                            new SimulatedFiles(5, SimulatedFiles.Options.HARSH), SimulatedFiles.ROOT, 27)
                    .create();
            log.append();
            log.append();
            log.seal();
            log.append();
            log.sync();
            log.checkpoint(true);
            if (removed) {
                log.files.delete(log.paths.checkpoint());
            } else {
                var garbage = new byte[8192];
                new Random(1).nextBytes(garbage);
                log.write(log.paths.checkpoint(), 0, garbage);
            }
            Recovered found = Recovered.from(log).serves(log).endsAt(log.endOffset());
            assertThat(found.reports()).singleElement().matches(r -> r.found() == Found.DAMAGED_CHECKPOINT);
            Recovered.from(log).serves(log).endsAt(log.endOffset()).reportsNothing();
        }
    }

    @Test
    void oneDamagedPartitionDoesNotStopAnother() throws IOException {
        LogFixture bad = log(28);
        bad.append();
        bad.sync();
        bad.checkpoint(true);
        LogFixture good =
                new LogFixture(files, SimulatedFiles.ROOT, 29, new io.keptlog.domain.PartitionRef(1, 2, 4)).create();
        good.append();
        files.delete(bad.activeFile());
        Recovered.from(bad).isRefused();
        Recovered.from(good).serves(good).endsAt(good.endOffset());
    }
}
