// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static io.keptlog.cluster.ledger.LedgerFixture.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.storage.PartitionLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fewer than E bookies (requirements B5): for an open ledger, for a roll, for a take-over. */
class FewBookiesTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(3, 3, 2);

    @TempDir
    Path directory;

    @Test
    void anOpenLedgerGoesOnARollWaitsATakeOverReadsAndEverythingResumes() throws Exception {
        try (var cluster = new LocalCluster(directory, 3);
                var first = new LedgerFixture(cluster);
                var second = new LedgerFixture(cluster)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
            var expected = new ArrayList<String>();
            try (LedgerLog log = first.create(spec, POLICY)) {
                fill(log, expected, "before", 5);
                cluster.bookies().get(0).close();
                awaitBookies(first, 2);
                fill(log, expected, "during", 20);
                log.requestRoll();
                log.maintain(POLICY);
                fill(log, expected, "no roll", 5);
                assertThat(log.ledgers()).hasSize(1);

                PartitionLog reading = second.reopen(spec, POLICY);
                assertThat(reading).isInstanceOf(ReadOnlyLog.class);
                assertThat(readAll(reading, 0)).isEqualTo(expected);
                assertThatThrownBy(() -> append(reading, "refused"))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.QUORUM_UNAVAILABLE);
                            assertThat(e.reason()).contains("needs 3 bookies, 2 are available");
                            assertThat(e.retryAfterSeconds()).isPositive();
                        });
                assertThatThrownBy(() -> append(log, "the former owner is fenced"))
                        .isInstanceOf(KeptlogException.class);
                ((ReadOnlyLog) reading).close();
            }
            cluster.addBookie();
            awaitBookies(second, 3);
            try (LedgerLog log = (LedgerLog) second.reopen(spec, POLICY)) {
                fill(log, expected, "after", 5);
                assertThat(readAll(log, 0)).isEqualTo(expected);
            }
        }
    }

    private static void fill(PartitionLog log, ArrayList<String> expected, String what, int count) {
        for (int i = 0; i < count; i++) {
            append(log, what + i);
            expected.add(what + i);
        }
    }

    private static void awaitBookies(LedgerFixture broker, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        broker.client.writableBookies(Deadline.inMillis(5_000)).size() == count);
    }
}
