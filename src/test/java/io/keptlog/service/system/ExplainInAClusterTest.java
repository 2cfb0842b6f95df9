// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.BookieView.JournalSync;
import io.keptlog.service.ServiceFixture;
import io.keptlog.service.cluster.FakeReplication;
import io.keptlog.service.system.ExplainService.Failure;
import io.keptlog.service.system.ExplainService.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the loss of bookies means for a topic (requirements D2, A10, B4). */
class ExplainInAClusterTest {
    private final ServiceFixture server = new ServiceFixture();
    private final FakeReplication replication = new FakeReplication();

    private Map<String, Verdict> verdicts() {
        var explained = new ExplainService(
                        server.catalog,
                        server.openLogs,
                        Optional.of(replication),
                        new DiskWatch(Optional.empty(), java.time.InstantSource.system(), Thread::new))
                .explain(ServiceFixture.id(0), ServiceFixture.id(0));
        var verdicts = new LinkedHashMap<String, Verdict>();
        for (Failure failure : explained.failures()) {
            verdicts.put(failure.failure(), failure.verdict());
        }
        return verdicts;
    }

    @Test
    void theLossOfFewerThanQaBookiesTakesNothingOfQwOrMoreEverything() {
        server.aTopic(1, Map.of());
        replication.ledgers.add(new QuorumPolicy(5, 3, 2));
        assertThat(verdicts())
                .containsEntry("process_crash", Verdict.KEPT)
                .containsEntry("power_loss", Verdict.KEPT)
                .containsEntry("loss_of_1_bookie", Verdict.KEPT)
                .containsEntry("loss_of_2_bookies", Verdict.MAY_BE_LOST)
                .containsEntry("loss_of_3_bookies", Verdict.LOST)
                .doesNotContainKey("loss_of_4_bookies")
                .doesNotContainKey("device_loss");
    }

    @Test
    void theWeakestLedgerInUseCounts() {
        server.aTopic(1, Map.of());
        replication.ledgers.add(new QuorumPolicy(2, 2, 1));
        replication.ledgers.add(new QuorumPolicy(3, 3, 3));
        assertThat(verdicts())
                .containsEntry("loss_of_1_bookie", Verdict.MAY_BE_LOST)
                .containsEntry("loss_of_2_bookies", Verdict.LOST);
    }

    @Test
    void aBookieThatIsNotKnownToSyncMayLoseWithThePower() {
        server.aTopic(1, Map.of());
        replication.ledgers.add(QuorumPolicy.DEFAULT);
        replication.bookies.add(new BookieView("one", true, JournalSync.SYNCED));
        assertThat(verdicts()).containsEntry("power_loss", Verdict.KEPT);
        replication.bookies.add(new BookieView("two", true, JournalSync.UNVERIFIED));
        assertThat(verdicts()).containsEntry("power_loss", Verdict.MAY_BE_LOST);
    }
}
