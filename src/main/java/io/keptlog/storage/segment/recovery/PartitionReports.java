// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.segment.format.SegmentSummary;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The reports about one partition: durable when a call returns. Safe for any number of threads. */
final class PartitionReports {
    private final RecoveryReports reports;
    private final PartitionSpec spec;
    private final InstantSource clock;
    private final AtomicInteger made = new AtomicInteger();

    PartitionReports(RecoveryReports reports, PartitionSpec spec, InstantSource clock) {
        this.reports = reports;
        this.spec = spec;
        this.clock = clock;
    }

    int count() {
        return made.get();
    }

    void indexRebuilt(SegmentSummary segment) {
        add(
                Found.DAMAGED_INDEX,
                Action.REBUILT,
                segment.baseOffset(),
                segment.endOffset(),
                -1,
                -1,
                false,
                null,
                "The index of the segment at offset " + segment.baseOffset() + " was made again from its frames.");
    }

    void epochsRebuilt(long firstOffset, long endOffset) {
        add(
                Found.DAMAGED_INDEX,
                Action.REBUILT,
                firstOffset,
                endOffset,
                -1,
                -1,
                false,
                null,
                "The list of epochs was made again from the frames.");
    }

    void producersForgotten(long firstOffset, long endOffset) {
        add(
                Found.FORGOTTEN_PRODUCERS,
                Action.REBUILT,
                firstOffset,
                endOffset,
                -1,
                -1,
                false,
                null,
                "What is known of idempotent producers was read from the frames that are left, from offset "
                        + firstOffset
                        + " on: their snapshot could not be used. A batch that was stored before, sent again, is stored again.");
    }

    void checkpointRebuilt(long endOffset) {
        add(
                Found.DAMAGED_CHECKPOINT,
                Action.REBUILT,
                -1,
                endOffset,
                -1,
                -1,
                false,
                null,
                "The checkpoint was missing or damaged; what it proved is no longer known.");
    }

    void refused(Diagnosis found) {
        var damage = found.damage();
        if (damage == null) {
            throw new IllegalArgumentException("not damaged");
        }
        var report = report(
                damage.found(),
                Action.REFUSED,
                damage.fromOffset(),
                damage.toOffset(),
                damage.position(),
                -1,
                true,
                null,
                damage.reason());
        // Damage stays until somebody repairs it; each start would report it again.
        boolean known = reports.list().stream()
                .anyMatch(old -> spec.ref().equals(old.partition())
                        && old.incarnation() == spec.incarnation()
                        && old.action() == Action.REFUSED
                        && old.found() == report.found()
                        && old.fromOffset() == report.fromOffset()
                        && old.detail().equals(report.detail()));
        if (!known) {
            add(report);
        }
    }

    /** Recovery itself failed: nothing is known to be lost, and the next start tries again. */
    void stuck(long endOffset, String detail) {
        add(Found.READ_ERROR, Action.REFUSED, endOffset, -1, -1, -1, true, null, detail);
    }

    void cut(Diagnosis.Tail tail, @Nullable String quarantineFile, String detail) {
        add(
                Found.TORN_TAIL,
                Action.CUT,
                tail.end().endOffset(),
                tail.lostEndOffset(),
                tail.position(),
                tail.contentEnd(),
                tail.acknowledgedPossible(),
                quarantineFile,
                detail);
    }

    void readOnly(Diagnosis.Tail tail, String detail) {
        add(
                Found.TORN_TAIL,
                Action.READ_ONLY,
                tail.end().endOffset(),
                tail.lostEndOffset(),
                tail.position(),
                tail.contentEnd(),
                tail.acknowledgedPossible(),
                null,
                detail);
    }

    private void add(
            Found found,
            Action action,
            long fromOffset,
            long toOffset,
            long fromPosition,
            long toPosition,
            boolean acknowledgedPossible,
            @Nullable String quarantineFile,
            String detail) {
        add(report(
                found,
                action,
                fromOffset,
                toOffset,
                fromPosition,
                toPosition,
                acknowledgedPossible,
                quarantineFile,
                detail));
    }

    private void add(RecoveryReport report) {
        reports.add(report);
        made.incrementAndGet();
    }

    private RecoveryReport report(
            Found found,
            Action action,
            long fromOffset,
            long toOffset,
            long fromPosition,
            long toPosition,
            boolean acknowledgedPossible,
            @Nullable String quarantineFile,
            String detail) {
        return new RecoveryReport(
                clock.instant(),
                spec.ref(),
                spec.incarnation(),
                found,
                action,
                fromOffset,
                toOffset,
                fromPosition,
                toPosition,
                acknowledgedPossible,
                quarantineFile,
                detail);
    }
}
