// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.segment.recovery.RecoveredPartition.State;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A recovery that is killed at any of its steps, again and again, comes to the same log in the end. */
class KilledRecoveryTest {
    /** What is on the disk before recovery, made anew from the same seed each time. */
    private interface Scenario {
        LogFixture make(SimulatedFiles files) throws IOException;
    }

    private static final List<Scenario> SCENARIOS = List.of(
            KilledRecoveryTest::unsyncedTail,
            KilledRecoveryTest::tornTail,
            KilledRecoveryTest::tornWithLaterSegments,
            KilledRecoveryTest::leftoversAndNoIndexes);

    private static LogFixture unsyncedTail(SimulatedFiles files) throws IOException {
        LogFixture log = new LogFixture(files, SimulatedFiles.ROOT, 1).create();
        log.append();
        log.sync();
        log.checkpoint(true);
        log.append();
        return log;
    }

    private static LogFixture tornTail(SimulatedFiles files) throws IOException {
        LogFixture log = unsyncedTail(files);
        log.sync();
        LogFixture.Written torn = log.append(new byte[3000]);
        log.append();
        log.write(log.activeFile(), torn.position() + 512, new byte[1024]);
        return log;
    }

    private static LogFixture tornWithLaterSegments(SimulatedFiles files) throws IOException {
        LogFixture log = unsyncedTail(files);
        log.sync();
        LogFixture.Written torn = log.append(new byte[3000]);
        log.append();
        log.roll();
        log.append();
        files.syncDirectory(log.paths.directory());
        log.roll();
        log.append();
        files.syncDirectory(log.paths.directory());
        // A checkpoint that knows the newest segment by name, though nothing in it is persisted.
        var evidence = log.lastCheckpoint();
        var newest = evidence.next(
                0, log.frames.getLast().segmentBase(), evidence.segmentBase(), evidence.position(), evidence.end());
        io.keptlog.storage.segment.format.CheckpointFile.put(files, log.paths.checkpoint(), newest);
        log.write(log.paths.log(torn.segmentBase()), torn.position() + 512, new byte[1024]);
        return log;
    }

    private static LogFixture leftoversAndNoIndexes(SimulatedFiles files) throws IOException {
        LogFixture log = new LogFixture(files, SimulatedFiles.ROOT, 2).create();
        for (int i = 0; i < 4; i++) {
            log.append();
            log.seal();
        }
        log.append();
        log.sync();
        log.startAt(log.bases().get(2));
        files.delete(log.paths.index(log.bases().get(3)));
        files.syncDirectory(log.paths.directory());
        log.append();
        return log;
    }

    @Test
    void killedAtEachChangeByTheKillerOrByAPowerCut() throws IOException {
        for (Scenario scenario : SCENARIOS) {
            long expectedEnd = expectedEnd(scenario);
            for (int kind = 0; kind < 2; kind++) {
                for (int n = 0; ; n++) {
                    var files = new SimulatedFiles(n, SimulatedFiles.Options.HARSH);
                    LogFixture log = durable(files, scenario);
                    files.stopAfter(n);
                    Recovered first = Recovered.from(files, log);
                    boolean finished = !files.stopped();
                    SimulatedFiles next = kind == 0 ? files.processKill() : files.powerCut(new Random(n));
                    Recovered again = Recovered.from(next, log)
                            .serves(next, log)
                            .endsAt(expectedEnd)
                            .finds(log);
                    assertThat(again.partition.epochs()).isEqualTo(epochsOf(scenario));
                    SimulatedFiles last = next.powerCut(new Random(n + 1));
                    Recovered.from(last, log)
                            .serves(last, log)
                            .endsAt(expectedEnd)
                            .reportsNothing();
                    if (finished) {
                        assertThat(first.partition.endOffset()).isEqualTo(expectedEnd);
                        assertThat(n).as("changing calls of a whole recovery").isGreaterThan(2);
                        break;
                    }
                }
            }
        }
    }

    @Test
    void killedAgainAndAgain() throws IOException {
        for (Scenario scenario : SCENARIOS) {
            long expectedEnd = expectedEnd(scenario);
            for (long seed = 0; seed < 60; seed++) {
                var random = new Random(seed);
                var files = new SimulatedFiles(seed, SimulatedFiles.Options.HARSH);
                LogFixture log = durable(files, scenario);
                for (int kill = 0; kill < 5; kill++) {
                    files.stopAfter(random.nextInt(25));
                    Recovered.from(files, log);
                    files = random.nextBoolean() ? files.processKill() : files.powerCut(random);
                }
                Recovered.from(files, log).serves(files, log).endsAt(expectedEnd);
            }
        }
    }

    @Test
    void anyCallThatFailsOnceLeavesALogThatTheNextStartRecovers() throws IOException {
        for (Scenario scenario : SCENARIOS) {
            long expectedEnd = expectedEnd(scenario);
            for (Call call : Call.values()) {
                for (int n = 1; ; n++) {
                    var files = new SimulatedFiles(n, SimulatedFiles.Options.HARSH);
                    LogFixture log = durable(files, scenario);
                    var faulty = new FaultyFiles(files);
                    faulty.fail(call, path -> true, n, () -> new IOException("Input/output error (EIO)"));
                    boolean took;
                    try {
                        Recovered first = Recovered.from(faulty, log);
                        took = faulty.count(call) >= n;
                        if (first.partition.state() == State.APPENDABLE) {
                            first.serves(files, log).endsAt(expectedEnd);
                        }
                    } catch (IOException e) {
                        took = true; // The clean marker could not be looked for: no start at all.
                    }
                    Recovered.from(files, log).serves(files, log).endsAt(expectedEnd);
                    if (!took) {
                        break;
                    }
                }
            }
        }
    }

    @Test
    void whatSaysThatOldSegmentsAreGoneIsOnTheDiskBeforeTheyGo() throws IOException {
        for (int n = 0; n < 25; n++) {
            var files = new SimulatedFiles(n, new SimulatedFiles.Options(false, false, 1L << 40, false));
            LogFixture log = new LogFixture(files, SimulatedFiles.ROOT, 2).create();
            for (int i = 0; i < 4; i++) {
                log.append();
                log.seal();
            }
            log.append();
            log.sync();
            log.checkpoint(true);
            // The checkpoint's sync fails: the page cache has it, the disk perhaps not.
            files.failNth(SimulatedFiles.Call.SYNC, 1);
            long first = log.bases().get(2);
            assertThatThrownBy(() -> log.startAt(first)).isInstanceOf(IOException.class);
            files = files.processKill();
            files.stopAfter(n);
            Recovered.from(files, log);
            files = files.processKill();
            files.dropCleanPages();
            Recovered again = Recovered.from(files, log).serves(files, log).endsAt(log.endOffset());
            assertThat(again.partition.state()).isEqualTo(State.APPENDABLE);
        }
    }

    /** Also what the scenario left unsynced reaches the disk: the same for each kind of kill. */
    private static LogFixture durable(SimulatedFiles files, Scenario scenario) throws IOException {
        LogFixture log = scenario.make(files);
        for (long base : log.bases()) {
            if (files.exists(log.paths.log(base))) {
                try (var file = files.open(log.paths.log(base), io.keptlog.storage.file.FileLayer.Mode.READ_WRITE)) {
                    file.syncData();
                }
            }
        }
        return log;
    }

    private static long expectedEnd(Scenario scenario) throws IOException {
        var files = new SimulatedFiles(0, SimulatedFiles.Options.HARSH);
        LogFixture log = durable(files, scenario);
        return Recovered.from(files, log).serves(files, log).partition.endOffset();
    }

    private static io.keptlog.storage.segment.format.EpochHistory epochsOf(Scenario scenario) throws IOException {
        var files = new SimulatedFiles(0, SimulatedFiles.Options.HARSH);
        LogFixture log = durable(files, scenario);
        return Recovered.from(files, log).partition.epochs();
    }
}
