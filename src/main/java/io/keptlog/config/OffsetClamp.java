// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.segment.recovery.CutListener;
import java.time.InstantSource;
import java.util.List;

/** Takes stored offsets back to what a recovery has kept, and reports each partition where that was needed. */
record OffsetClamp(OffsetStore offsets, RecoveryReports reports, InstantSource clock) implements CutListener {
    @Override
    public void onCut(PartitionSpec partition, long firstOffset, long endOffset) {
        List<OffsetStore.ConsumerOffset> beyond = offsets.clamp(partition, firstOffset, endOffset);
        if (beyond.isEmpty()) {
            return;
        }
        long highest = beyond.stream()
                .mapToLong(OffsetStore.ConsumerOffset::offset)
                .max()
                .getAsLong();
        reports.add(new RecoveryReport(
                clock.instant(),
                partition.ref(),
                partition.incarnation(),
                RecoveryReport.Found.OFFSET_BEYOND_END,
                RecoveryReport.Action.CLAMPED,
                endOffset,
                highest + 1,
                -1,
                -1,
                false,
                null,
                beyond.size()
                        + " stored consumer offsets lay beyond the last message that was kept and went back to it."));
    }
}
