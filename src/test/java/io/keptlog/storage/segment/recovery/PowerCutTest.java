// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.segment.recovery.RecoveredPartition.State;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any subset of unsynced pages and names may survive: nothing persisted is lost, nothing is refused, no old byte comes back. */
class PowerCutTest {
    private static final List<SimulatedFiles.Options> MACHINES =
            List.of(SimulatedFiles.Options.HARSH, SimulatedFiles.Options.EXT4_LIKE);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void manyLivesOfOneLog(long block) throws IOException {
        manySeeds(block * 1000, 12);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void veryManyLivesOfOneLog(long block) throws IOException {
        manySeeds(block * 1000, 400);
    }

    private static void manySeeds(long from, int count) throws IOException {
        for (long seed = from; seed < from + count; seed++) {
            try {
                lives(seed);
            } catch (AssertionError | IOException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static void lives(long seed) throws IOException {
        var random = new Random(seed);
        var files = new SimulatedFiles(seed, MACHINES.get(random.nextInt(2)));
        LogFixture log = new LogFixture(files, SimulatedFiles.ROOT, seed).create();
        for (int life = 0; life < 8; life++) {
            run(log, random);
            long persisted = log.persistedEnd;
            boolean powerCut = random.nextInt(3) != 0;
            files = powerCut ? files.powerCut(random) : files.processKill();
            if (random.nextInt(4) == 0) {
                files.stopAfter(random.nextInt(20));
                Recovered.from(files, log);
                files = random.nextBoolean() ? files.powerCut(random) : files.processKill();
            }
            Recovered found = Recovered.from(files, log).serves(files, log).finds(log);
            long end = found.partition.endOffset();
            assertThat(end).isGreaterThanOrEqualTo(persisted);
            assertThat(found.partition.epochs()).isEqualTo(log.epochs().cutAt(end));
            if (random.nextInt(3) == 0) {
                files = files.powerCut(random);
                Recovered again = Recovered.from(files, log).serves(files, log).reportsNothing();
                assertThat(again.partition.endOffset())
                        .as("what recovery kept may be served as persisted")
                        .isEqualTo(end);
                found = again;
            }
            log = LogFixture.resume(log, files, found.partition, random.nextLong());
        }
    }

    private static void run(LogFixture log, Random random) throws IOException {
        int steps = random.nextInt(40);
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(14)) {
                case 0, 1 -> log.sync();
                case 2 -> log.checkpoint(false);
                case 3 -> log.checkpoint(true);
                case 4 -> log.roll();
                case 5 -> log.seal();
                default -> log.append();
            }
        }
    }

    @Test
    void aCutIsDurableAndOldBytesDoNotComeBack() throws IOException {
        for (long seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            var files = new SimulatedFiles(seed, SimulatedFiles.Options.HARSH);
            LogFixture log = new LogFixture(files, SimulatedFiles.ROOT, seed).create();
            log.append();
            log.sync();
            log.checkpoint(true);
            LogFixture.Written torn = log.append(bytes(random, 2000));
            for (int i = 0; i < 5; i++) {
                log.append(bytes(random, 120));
            }
            log.write(log.activeFile(), torn.position() + 512, new byte[1024]);
            Recovered cut = Recovered.from(files, log)
                    .serves(files, log)
                    .endsAt(torn.header().baseOffset());
            assertThat(cut.reports()).anyMatch(r -> r.action() == Action.CUT);

            LogFixture next = LogFixture.resume(log, files, cut.partition, seed + 1);
            next.append(bytes(random, 40));
            if (random.nextBoolean()) {
                next.sync();
            }
            files = random.nextBoolean() ? files.powerCut(random) : files.processKill();
            Recovered found = Recovered.from(files, next).serves(files, next);
            assertThat(found.partition.endOffset()).isGreaterThanOrEqualTo(next.persistedEnd);
            assertThat(found.partition.state()).isEqualTo(State.APPENDABLE);
        }
    }

    @Test
    void cleanPagesThatNeverReachedTheDiskAreWrittenAgain() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            // Far apart: the first bits of near seeds are alike.
            var files = new SimulatedFiles(
                    seed * 0x9E37_79B9_7F4A_7C15L, new SimulatedFiles.Options(false, false, 1L << 40, false));
            LogFixture log = new LogFixture(files, SimulatedFiles.ROOT, 3).create();
            log.append();
            log.sync();
            log.checkpoint(true);
            log.append();
            files.failNth(SimulatedFiles.Call.SYNC, 1);
            org.assertj.core.api.Assertions.assertThatThrownBy(log::sync).isInstanceOf(IOException.class);
            files = files.processKill();
            Recovered.from(files, log).serves(files, log).endsAt(log.endOffset());
            files.dropCleanPages();
            files = files.powerCut(new Random(1));
            Recovered.from(files, log)
                    .serves(files, log)
                    .endsAt(log.endOffset())
                    .reportsNothing();
        }
    }

    private static byte[] bytes(Random random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        bytes[length - 1] = 1;
        return bytes;
    }
}
