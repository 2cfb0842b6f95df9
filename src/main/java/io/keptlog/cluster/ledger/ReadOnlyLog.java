// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.ledger.read.LedgerReads;
import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.SyncTarget;
import io.keptlog.storage.TailWatch;
import io.keptlog.storage.frame.FrameChain;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** A partition that was taken over while no new ledger could be made: reads, and says what is missing for writes. Immutable. */
public final class ReadOnlyLog implements PartitionLog, SyncTarget, AutoCloseable {
    private final PartitionSpec spec;
    private final LedgerReads reads;
    private final FrameChain tail;
    private final long firstOffset;
    private final NavigableMap<Long, Long> entries;
    private final long sizeBytes;
    private final String reason;
    private final TailWatch watch = new TailWatch();

    ReadOnlyLog(
            PartitionSpec spec,
            LedgerReads reads,
            FrameChain tail,
            long firstOffset,
            NavigableMap<Long, Long> entries,
            long sizeBytes,
            String reason) {
        this.spec = spec;
        this.reads = reads;
        this.tail = tail;
        this.firstOffset = firstOffset;
        this.entries = Collections.unmodifiableNavigableMap(entries);
        this.sizeBytes = sizeBytes;
        this.reason = reason;
    }

    /** Ledger id → confirmed entries. */
    public NavigableMap<Long, Long> entries() {
        return entries;
    }

    private KeptlogException refusal() {
        return KeptlogException.retryable(ErrorCode.QUORUM_UNAVAILABLE, reason, 1);
    }

    @Override
    public PartitionSpec spec() {
        return spec;
    }

    @Override
    public Appended append(MessageBatch batch, Deadline deadline) {
        throw refusal();
    }

    @Override
    public SyncTarget tail() {
        return this;
    }

    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        if (end > tail.endOffset()) {
            throw refusal();
        }
        return Evidence.ON_STABLE_STORAGE;
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        return awaitReplicated(end, deadline);
    }

    @Override
    public void kick() {}

    @Override
    public long persistedEnd() {
        return tail.endOffset();
    }

    @Override
    public Slice read(long fromOffset, int maxMessages, long maxBytes, Visibility visibility) {
        return reads.read(
                fromOffset, maxMessages, maxBytes, firstOffset, tail.endOffset(), tail.epoch(), Gap.Reason.RETENTION);
    }

    @Override
    public TailWatch watch(Visibility visibility) {
        return watch;
    }

    @Override
    public long offsetAt(long timestampMicros, Visibility visibility) {
        return reads.offsetAt(timestampMicros, firstOffset, tail.endOffset());
    }

    @Override
    public LogStatus status() {
        long end = tail.endOffset();
        return new LogStatus(
                firstOffset,
                end,
                end,
                end,
                tail.epoch(),
                Math.max(1, entries.size()),
                sizeBytes,
                AtRisk.NOTHING,
                LogStatus.State.READ_ONLY);
    }

    @Override
    public List<SealedSegment> sealedSegments() {
        return reads.sealed(null, Map.of());
    }

    @Override
    public List<SealedSegment> deleteSegments(long endOffset, Gap.Reason reason) {
        throw refusal();
    }

    @Override
    public void close() {
        reads.close();
        watch.tell();
    }
}
