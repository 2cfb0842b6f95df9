// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.depth.CopyKeeper.LostCopies;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.storage.RecoveryReports;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Entries that no bookie has any more become a report that stays (requirements D5), once per range and life. */
final class LostCopiesReport implements LostCopies {
    private static final Logger LOG = LoggerFactory.getLogger(LostCopiesReport.class);

    private final RecoveryReports reports;
    private final InstantSource clock;

    LostCopiesReport(RecoveryReports reports, InstantSource clock) {
        this.reports = reports;
        this.clock = clock;
    }

    @Override
    public boolean found(PartitionSpec spec, DepthRange range, boolean again) {
        String detail = "No bookie has a good copy of entries " + range.firstEntry() + " to " + range.lastEntry()
                + " of ledger " + range.ledgerId() + ", and all have answered.";
        if (!again) {
            LOG.error(
                    "partition {}: offsets {} to {} are lost: {}",
                    spec.ref(),
                    range.fromOffset(),
                    range.toOffset(),
                    detail);
        }
        try {
            boolean known = reports.list().stream()
                    .anyMatch(r -> r.incarnation() == spec.incarnation()
                            && spec.ref().equals(r.partition())
                            && r.fromOffset() == range.fromOffset());
            if (!known) {
                reports.add(new RecoveryReport(
                        clock.instant(),
                        spec.ref(),
                        spec.incarnation(),
                        Found.INTERIOR_DAMAGE,
                        Action.REPORTED,
                        range.fromOffset(),
                        range.toOffset(),
                        -1,
                        -1,
                        true,
                        null,
                        detail));
            }
            return true;
        } catch (KeptlogException e) {
            if (!again) {
                LOG.warn("the loss could not be kept as a report, and is tried again: {}", e.reason());
            }
            return false;
        }
    }
}
