// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.producer.ProducerStates;
import io.keptlog.storage.producer.ProducerVerdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** A log for tests in memory: a list of batches per segment. "Persisted" is what a test or a waiter says it is. */
public final class InMemoryPartitionLog implements PartitionLog {
    private record Batch(byte[] records, long base, int count, long timeMicros) {
        long end() {
            return base + count;
        }
    }

    private final PartitionSpec spec;
    private final LongSupplier nowMicros;
    private final List<List<Batch>> segments = new ArrayList<>(List.of(new ArrayList<>()));
    private final ProducerStates producers = new ProducerStates();
    private final TailWatch watch = new TailWatch();
    private long first;
    private long end;
    private long persisted;
    private Gap.Reason gapReason = Gap.Reason.RETENTION;
    private boolean closed;
    private KeptlogException appendFault;
    private KeptlogException syncFault;
    private int kicks;
    private int syncs;
    private int openSlices;

    public InMemoryPartitionLog(PartitionSpec spec, LongSupplier nowMicros) {
        this.spec = spec;
        this.nowMicros = nowMicros;
    }

    @Override
    public PartitionSpec spec() {
        return spec;
    }

    /** Every later append is refused with this; null = taken again. */
    public synchronized void failAppends(KeptlogException fault) {
        appendFault = fault;
    }

    /** Every later sync fails with this; null = works again. */
    public synchronized void failSyncs(KeptlogException fault) {
        syncFault = fault;
    }

    public synchronized int kicks() {
        return kicks;
    }

    public synchronized int syncs() {
        return syncs;
    }

    public synchronized int openSlices() {
        return openSlices;
    }

    /** Begins a new segment. */
    public synchronized void roll() {
        segments.add(new ArrayList<>());
    }

    synchronized void close() {
        closed = true;
        watch.tell();
    }

    @Override
    public TailWatch watch(Visibility visibility) {
        return watch;
    }

    @Override
    public synchronized Appended append(MessageBatch batch, Deadline deadline) {
        requireOpen();
        if (appendFault != null) {
            throw appendFault;
        }
        long now = nowMicros.getAsLong();
        ProducerStamp stamp = batch.producer();
        if (stamp != null) {
            ProducerVerdict verdict = producers.decide(stamp, batch.count(), now);
            if (verdict.isDuplicate()) {
                return new Appended(verdict.baseOffset(), verdict.endOffset(), verdict.epoch(), true);
            }
            if (!verdict.isNew()) {
                return append(batch.without(verdict.oldMessages()), deadline);
            }
            producers.applied(stamp, batch.count(), end, 1, now);
        }
        byte[] records = Arrays.copyOfRange(batch.bytes(), batch.bodyOffset(), batch.bodyOffset() + batch.bodyLength());
        long base = end;
        segments.getLast().add(new Batch(records, base, batch.count(), now));
        end += batch.count();
        watch.tell();
        return new Appended(base, end, 1, false);
    }

    private void requireOpen() {
        if (closed) {
            throw new KeptlogException(ErrorCode.PARTITION_NOT_FOUND, "The log was deleted.", "partition_id");
        }
    }

    @Override
    public SyncTarget tail() {
        return new SyncTarget() {
            @Override
            public Evidence awaitReplicated(long wanted, Deadline deadline) {
                return Evidence.IN_PAGE_CACHE;
            }

            @Override
            public Evidence awaitPersisted(long wanted, Deadline deadline) {
                synchronized (InMemoryPartitionLog.this) {
                    if (syncFault != null) {
                        throw syncFault;
                    }
                    if (persisted < wanted) {
                        syncs++;
                        persisted = end;
                        watch.tell();
                    }
                    return Evidence.ON_STABLE_STORAGE;
                }
            }

            @Override
            public void kick() {
                synchronized (InMemoryPartitionLog.this) {
                    kicks++;
                }
            }

            @Override
            public long persistedEnd() {
                synchronized (InMemoryPartitionLog.this) {
                    return persisted;
                }
            }
        };
    }

    @Override
    public synchronized Slice read(long fromOffset, int maxMessages, long maxBytes, Visibility visibility) {
        requireOpen();
        long visible = visibleEnd(visibility);
        long from = Math.max(fromOffset, first);
        Gap gap = fromOffset < first ? new Gap(fromOffset, first, gapReason) : null;
        List<RecordRun> runs = new ArrayList<>();
        int count = 0;
        long bytes = 0;
        for (Batch batch : segments.stream().flatMap(List::stream).toList()) {
            MemorySegment records = MemorySegment.ofArray(batch.records());
            long position = 0;
            long runBase = -1;
            long runPosition = 0;
            int runCount = 0;
            for (long offset = batch.base(); offset < batch.end(); offset++) {
                long length = records.get(RecordLayout.U32, position);
                boolean wanted =
                        offset >= from && offset < visible && count < maxMessages && (count == 0 || bytes < maxBytes);
                if (wanted) {
                    if (runCount == 0) {
                        runBase = offset;
                        runPosition = position;
                    }
                    runCount++;
                    count++;
                    bytes += length;
                }
                position += length;
                if (wanted
                        && (offset == batch.end() - 1
                                || count == maxMessages
                                || bytes >= maxBytes
                                || offset == visible - 1)) {
                    runs.add(new RecordRun(
                            records.asSlice(runPosition, position - runPosition),
                            runBase,
                            runCount,
                            batch.timeMicros(),
                            1));
                    runCount = 0;
                }
            }
        }
        openSlices++;
        return new Slice(runs, Math.min(from, Math.max(from, visible)), count, visible, 1, gap, this::unpin);
    }

    private synchronized void unpin() {
        openSlices--;
    }

    private long visibleEnd(Visibility visibility) {
        boolean onlyPersisted =
                visibility == Visibility.PERSISTED || spec.options().durability() == Durability.PERSISTED;
        return onlyPersisted ? persisted : end;
    }

    @Override
    public synchronized long offsetAt(long timestampMicros, Visibility visibility) {
        return segments.stream()
                .flatMap(List::stream)
                .filter(b -> Long.compareUnsigned(b.timeMicros(), timestampMicros) >= 0)
                .mapToLong(Batch::base)
                .findFirst()
                .orElse(visibleEnd(visibility));
    }

    @Override
    public synchronized LogStatus status() {
        long bytes = segments.stream()
                .flatMap(List::stream)
                .mapToLong(b -> b.records().length)
                .sum();
        return new LogStatus(
                first,
                end,
                visibleEnd(Visibility.TOPIC),
                persisted,
                1,
                segments.size(),
                bytes,
                new AtRisk(end - persisted, 0, 0),
                closed ? LogStatus.State.CLOSED : LogStatus.State.OPEN);
    }

    @Override
    public synchronized List<SealedSegment> sealedSegments() {
        return segments.subList(0, segments.size() - 1).stream()
                .map(InMemoryPartitionLog::sealed)
                .toList();
    }

    private static SealedSegment sealed(List<Batch> segment) {
        return new SealedSegment(
                segment.getFirst().base(),
                segment.getLast().end(),
                segment.stream().mapToLong(b -> b.records().length).sum(),
                segment.getLast().timeMicros());
    }

    @Override
    public synchronized List<SealedSegment> deleteSegments(long endOffset, Gap.Reason reason) {
        List<SealedSegment> gone = new ArrayList<>();
        while (segments.size() > 1 && segments.getFirst().getLast().end() <= endOffset) {
            gone.add(sealed(segments.removeFirst()));
            first = gone.getLast().endOffset();
            gapReason = reason;
        }
        return gone;
    }
}
