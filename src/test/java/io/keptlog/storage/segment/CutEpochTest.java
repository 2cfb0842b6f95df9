// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Durability;
import io.keptlog.domain.Gap;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.StoreNode;
import io.keptlog.storage.file.SimulatedFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What readers that remember an epoch are told after power cuts (requirements D6), over several lives of one log. */
class CutEpochTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final PartitionRef PLACE = new PartitionRef(0, 0, 0);
    private static final int HISTORIES = 40;
    private static final int LIVES = 5;

    /** A reader that had come to the end of the log in an epoch. */
    private record Reader(long epoch, long offset) {}

    @Test
    void aReaderIsToldExactlyWhatARecoveryTookOfWhatItSaw() {
        int cuts = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            SimulatedFiles machine = new SimulatedFiles(seed);
            try (StoreNode node = new StoreNode(machine, DATA)) {
                node.create(Durability.REPLICATED, random);
            }
            machine = machine.processKill();
            List<Reader> readers = new ArrayList<>();
            List<Long> lowestEndSince = new ArrayList<>();
            for (int life = 0; life < LIVES; life++) {
                StoreNode node = new StoreNode(machine, DATA);
                PartitionLog log = node.store.find(PLACE);
                long end = log.status().endOffset();
                for (int i = 0; i < readers.size(); i++) {
                    Reader reader = readers.get(i);
                    lowestEndSince.set(i, Math.min(lowestEndSince.get(i), end));
                    long kept = lowestEndSince.get(i);
                    Gap expected = reader.offset() > kept ? new Gap(kept, reader.offset(), Gap.Reason.RECOVERY) : null;
                    cuts += expected == null ? 0 : 1;
                    assertThat(log.cutSince(reader.epoch(), reader.offset()))
                            .as("seed " + seed + ", life " + life + ", " + reader)
                            .isEqualTo(expected);
                }
                assertThat(log.cutSince(log.status().epoch(), end + 5))
                        .as("of its own epoch")
                        .isNull();
                StoreNode.append(log, random.nextInt(12), random);
                if (random.nextBoolean()) {
                    StoreNode.persist(log);
                }
                StoreNode.append(log, random.nextInt(6), random);
                readers.add(new Reader(log.status().epoch(), log.status().endOffset()));
                lowestEndSince.add(log.status().endOffset());
                node.close();
                machine = random.nextInt(3) == 0 ? machine.processKill() : machine.powerCut(random);
            }
        }
        assertThat(cuts).isGreaterThan(HISTORIES / 2);
    }

    @Test
    void whySegmentsWereDeletedIsKnownAfterARestart() {
        Random random = new Random(5);
        SimulatedFiles machine = new SimulatedFiles(5);
        for (Gap.Reason reason : new Gap.Reason[] {Gap.Reason.DELETION, Gap.Reason.RETENTION, Gap.Reason.DELETION}) {
            long first;
            try (StoreNode node = new StoreNode(machine, DATA)) {
                PartitionLog log = node.catalog.state().streams().isEmpty()
                        ? node.create(Durability.PERSISTED, random)
                        : node.store.find(PLACE);
                StoreNode.append(log, 60, random);
                StoreNode.persist(log);
                assertThat(log.deleteSegments(log.sealedSegments().get(1).endOffset(), reason))
                        .hasSize(2);
                first = log.status().firstOffset();
                assertThat(gapAtStart(log)).isEqualTo(new Gap(0, first, reason));
            }
            machine = machine.powerCut(random);
            try (StoreNode node = new StoreNode(machine, DATA)) {
                assertThat(gapAtStart(node.store.find(PLACE))).isEqualTo(new Gap(0, first, reason));
            }
            machine = machine.processKill();
        }
    }

    private static Gap gapAtStart(PartitionLog log) {
        List<Gap> gaps = new ArrayList<>();
        StoreNode.readAll(log, gaps);
        return gaps.getFirst();
    }
}
