// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.LogStatus.State;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import io.keptlog.storage.segment.recovery.RecoveredPartition;
import io.keptlog.storage.segment.recovery.RecoveredPartition.Damage;
import io.keptlog.storage.segment.recovery.RecoveredProducers;
import io.keptlog.storage.segment.recovery.RecoveredSegment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes logs of what recovery found. Changes no file; an exception leaves nothing open. */
final class LogMaker {
    private final StoreParts parts;
    private volatile boolean draining;

    LogMaker(StoreParts parts) {
        this.parts = parts;
    }

    /** What a partition is that was made, synced and never written. */
    static RecoveredPartition fresh(PartitionSpec spec, PartitionPaths paths) {
        FrameChain beginning = FrameChain.beginning(spec.incarnation());
        SegmentSummary empty = new SegmentSummary(0, SegmentHeader.FIRST_FRAME_POSITION, 0, beginning);
        RecoveredSegment first = new RecoveredSegment(empty, paths.log(0), false, new SparseIndex(0));
        return new RecoveredPartition(
                spec,
                RecoveredPartition.State.APPENDABLE,
                null,
                List.of(first),
                0,
                beginning,
                EpochHistory.EMPTY,
                Checkpoint.beginning(spec.incarnation()),
                RecoveredProducers.nothing(),
                0,
                0);
    }

    /** @param epoch of frames appended from now on */
    SegmentLog make(RecoveredPartition recovered, PartitionPaths paths, long epoch) throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (RecoveredSegment one : recovered.segments()) {
            segments.add(segment(one));
        }
        SegmentList list = new SegmentList(segments);
        PartitionSpec spec = recovered.spec();
        if (recovered.state() != RecoveredPartition.State.APPENDABLE) {
            LogState state = new LogState(
                    spec, paths, epoch, condition(recovered), list, readOnlyTail(recovered, list), EpochHistory.EMPTY);
            if (recovered.state() == RecoveredPartition.State.READ_ONLY) {
                state.synced(knownSynced(recovered, list));
            }
            return new SegmentLog(state, parts, null, recovered.damage());
        }
        RecoveredSegment active = recovered.active();
        StoreFile file = parts.files().open(active.file(), FileLayer.Mode.READ_WRITE);
        try {
            SegmentSpace space = new SegmentSpace(parts.files(), active.file(), file.size());
            SegmentWriter writer = new SegmentWriter(file, space, LogRoller.limit(spec.options()), true);
            Tail tail = new Tail(segments.getLast(), writer, active.endPosition(), recovered.end(), 0);
            LogState state = new LogState(spec, paths, epoch, LogState.Condition.OPEN, list, tail, recovered.epochs());
            if (spec.options().durability() == Durability.PERSISTED) {
                state.wantZeroAhead();
            }
            if (draining) {
                state.drain();
            }
            return new SegmentLog(state, parts, LogWriting.of(state, parts, recovered), null);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    /** The store stops: logs made from now on take no appends. */
    void drain() {
        draining = true;
    }

    /** Why these partitions could not be made. */
    RuntimeException refused(List<PartitionSpec> specs, IOException e) {
        if (e instanceof NoSpaceException) {
            parts.observer().noSpace();
            return SpaceKeeper.noSpace(specs.getFirst().ref(), e);
        }
        return new UncheckedIOException("partition " + specs.getFirst().ref() + " and those with it", e);
    }

    private Segment segment(RecoveredSegment one) {
        return new Segment(
                one.baseOffset(),
                one.file(),
                one.index(),
                new MappedSegment(parts.files(), one.file(), parts.mappings()),
                one.summary().firstAppendTimeMicros(),
                one.sealed() ? one.summary() : null);
    }

    private static Tail readOnlyTail(RecoveredPartition recovered, SegmentList segments) {
        @Nullable Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
        long position = recovered.segments().isEmpty()
                ? SegmentHeader.FIRST_FRAME_POSITION
                : recovered.segments().getLast().endPosition();
        return new Tail(last, null, position, recovered.end(), 0);
    }

    /** Recovery could not sync what it found, so only the checkpoint says what is on stable storage. */
    private static Tail knownSynced(RecoveredPartition recovered, SegmentList segments) {
        Checkpoint known = recovered.checkpoint();
        FrameChain end = known == null ? new FrameChain(recovered.firstOffset(), 0, 0, 0) : known.end();
        @Nullable Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
        return new Tail(last, null, known == null ? SegmentHeader.FIRST_FRAME_POSITION : known.position(), end, 0);
    }

    private static LogState.Condition condition(RecoveredPartition recovered) {
        Damage damage = java.util.Objects.requireNonNull(recovered.damage());
        return switch (recovered.state()) {
            case REFUSED -> new LogState.Condition(State.DAMAGED, damage.reason(), false);
            case READ_ONLY -> new LogState.Condition(State.READ_ONLY, damage.reason(), false);
            case APPENDABLE -> throw new IllegalArgumentException("an appendable log is open");
        };
    }
}
