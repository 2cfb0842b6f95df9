// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Fault;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a log's state looks like from outside. Any thread; takes no lock, changes nothing. */
final class LogLook {
    private LogLook() {}

    static LogStatus status(LogState state, long visibleEnd) {
        Tail synced = state.synced();
        Tail end = state.tail();
        SegmentList segments = state.segments();
        long size = 0;
        for (Segment segment : segments.segments()) {
            SegmentSummary sealed = segment.sealed();
            size += (sealed != null ? sealed.endPosition() : end.position()) - SegmentHeader.FIRST_FRAME_POSITION;
        }
        return new LogStatus(
                segments.isEmpty() ? end.endOffset() : segments.get(0).baseOffset(),
                end.endOffset(),
                visibleEnd,
                synced.endOffset(),
                state.epoch(),
                Math.max(1, segments.size()),
                size,
                atRisk(state, synced, end),
                state.condition().state());
    }

    static AtRisk atRisk(LogState state) {
        Tail synced = state.synced();
        return atRisk(state, synced, state.tail());
    }

    private static AtRisk atRisk(LogState state, Tail synced, Tail end) {
        if (end.endOffset() <= synced.endOffset()) {
            return AtRisk.NOTHING;
        }
        long ageNanos = System.nanoTime() - state.dirtySinceNanos();
        return new AtRisk(
                end.endOffset() - synced.endOffset(),
                end.bytes() - synced.bytes(),
                Math.max(0, TimeUnit.NANOSECONDS.toMillis(ageNanos)));
    }

    static List<SealedSegment> sealed(LogState state) {
        List<SealedSegment> sealed = new ArrayList<>();
        for (Segment segment : state.segments().segments()) {
            SegmentSummary summary = segment.sealed();
            if (summary != null) {
                sealed.add(view(summary));
            }
        }
        return List.copyOf(sealed);
    }

    static SealedSegment view(SegmentSummary summary) {
        return new SealedSegment(
                summary.baseOffset(),
                summary.endOffset(),
                summary.endPosition() - SegmentHeader.FIRST_FRAME_POSITION,
                summary.lastAppendTimeMicros());
    }

    /** @param met the first damage that a read met, or null */
    static Optional<Fault> fault(LogState state, LogReader.@Nullable DamagedException met) {
        LogState.Condition condition = state.condition();
        String component = "partition " + state.spec().ref();
        return switch (condition.state()) {
            case OPEN -> met == null
                    ? Optional.empty()
                    : Optional.of(new Fault(
                            component,
                            "messages from offset " + met.fromOffset() + " to " + met.toOffset() + " cannot be read: "
                                    + met.getMessage(),
                            false));
                // Others can still be written: whether any can is asked of the logs.
            case FENCED, DAMAGED, READ_ONLY -> Optional.of(new Fault(component, condition.reason(), false));
            case CLOSED -> Optional.empty();
        };
    }
}
