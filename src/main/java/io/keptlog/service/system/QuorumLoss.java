// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.LedgerReplication;
import io.keptlog.service.system.ExplainService.Failure;
import io.keptlog.service.system.ExplainService.Verdict;
import io.keptlog.storage.Replication;
import java.util.ArrayList;
import java.util.List;

/**
 * What failures mean for a topic whose partitions are kept by quorums: of all ledgers in use the weakest counts. Proven are Qa copies,
 * intended are Qw, so the loss of Qa − 1 bookies takes nothing, of Qw or more it may take entries for good.
 */
final class QuorumLoss {
    private QuorumLoss() {}

    static List<Failure> failures(Replication replication, TopicEntry topic, AtRisk all) {
        int ack = Integer.MAX_VALUE;
        int write = Integer.MAX_VALUE;
        for (PartitionSpec partition : topic.specs()) {
            var kept = replication.of(partition.ref(), 0, 0);
            ack = Math.min(ack, kept.policy().ackQuorum());
            write = Math.min(write, kept.policy().writeQuorum());
            for (LedgerReplication ledger : kept.ledgers()) {
                QuorumPolicy policy = ledger.policy();
                // A ledger that is missing has nothing left to lose.
                if (policy != null) {
                    ack = Math.min(ack, policy.ackQuorum());
                    write = Math.min(write, policy.writeQuorum());
                }
            }
        }
        boolean synced = replication.bookies().stream()
                .filter(BookieView::alive)
                .allMatch(b -> b.journalSync() == BookieView.JournalSync.SYNCED);
        var failures = new ArrayList<Failure>();
        failures.add(new Failure("process_crash", Verdict.KEPT, AtRisk.NOTHING));
        failures.add(
                new Failure("power_loss", synced ? Verdict.KEPT : Verdict.MAY_BE_LOST, synced ? AtRisk.NOTHING : all));
        if (write == Integer.MAX_VALUE) {
            return failures;
        }
        for (int lost = 1; lost <= write; lost++) {
            Verdict verdict = lost < ack ? Verdict.KEPT : lost < write ? Verdict.MAY_BE_LOST : Verdict.LOST;
            failures.add(new Failure(
                    "loss_of_" + lost + (lost == 1 ? "_bookie" : "_bookies"),
                    verdict,
                    verdict == Verdict.KEPT ? AtRisk.NOTHING : all));
        }
        return failures;
    }
}
