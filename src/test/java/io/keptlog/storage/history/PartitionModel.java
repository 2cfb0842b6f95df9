// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one life of a partition must hold: everything that was sent to it, and what was promised of it. */
final class PartitionModel {
    /** Kept whatever happens to an honest disk. */
    long persistedEnd;
    /** Whether the last start has said what is there: a log that could not be opened may have lost what was not persisted. */
    boolean known = true;
    /** Where it may end when it is opened after the start; the largest number when it was open at the start. */
    long lowestEnd = Long.MAX_VALUE;
    /** The same for the life before. */
    long lowestEndBefore = Long.MAX_VALUE;
    /** Kept by whatever leaves the page cache. */
    long acknowledgedEnd;
    /** A start has told that it could not find out about all idempotent producers. */
    boolean producersForgotten;
    /** Deleted for good. */
    long deletedEnd;
    /** Deletion was asked for up to here. */
    long deletionAskedEnd;

    final PartitionSpec spec;
    private boolean mayLoseTail;
    /** Placed since a start that could not say what is there. */
    private final Set<Batch> placedUnseen = new HashSet<>();

    private final Map<Long, Batch> byId = new HashMap<>();
    private final TreeMap<Long, Batch> placed = new TreeMap<>();
    private final Map<Long, List<Batch>> byProducer = new HashMap<>();
    private final Map<Long, Integer> producerEpochs = new HashMap<>();

    PartitionModel(PartitionSpec spec) {
        this.spec = spec;
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void require(boolean holds, Supplier<String> what) {
        if (!holds) {
            throw new AssertionError(what.get());
        }
    }

    void sent(Batch batch) {
        byId.put(batch.firstId, batch);
        if (batch.stamp != null) {
            byProducer
                    .computeIfAbsent(batch.stamp.producerId(), p -> new ArrayList<>())
                    .add(batch);
        }
    }

    void refused(Batch batch) {
        require(batch.fate == Batch.Fate.OPEN, () -> spec + ": refused and in the log: " + batch);
        batch.fate = Batch.Fate.REFUSED;
        forgetStamp(batch);
    }

    private void forgetStamp(Batch batch) {
        if (batch.stamp != null) {
            byProducer.get(batch.stamp.producerId()).remove(batch);
        }
    }

    void placed(Batch batch, long base) {
        if (batch.fate == Batch.Fate.PLACED) {
            require(batch.base == base, () -> spec + ": answered with " + base + " and in the log as " + batch);
            return;
        }
        if (!known) {
            continuedAt(base);
            placedUnseen.add(batch);
        }
        batch.fate = Batch.Fate.PLACED;
        batch.base = base;
        Map.Entry<Long, Batch> before = placed.lowerEntry(batch.end());
        require(
                before == null || before.getValue().end() <= base,
                () -> spec.ref() + ": " + batch + " overlaps " + before.getValue());
        placed.put(base, batch);
    }

    /** A log that the start could not open was opened later: where it goes on shows what a power cut took before. */
    private void continuedAt(long base) {
        List<Batch> gone = placed.values().stream()
                .filter(b -> b.end() > base && !placedUnseen.contains(b))
                .toList();
        if (gone.isEmpty()) {
            return;
        }
        require(base >= persistedEnd, () -> spec + ": goes on at " + base + ", persisted was " + persistedEnd);
        require(
                mayLoseTail || base >= acknowledgedEnd,
                () -> spec + ": goes on at " + base + ", acknowledged was " + acknowledgedEnd);
        for (Batch batch : gone) {
            placed.remove(batch.base, batch);
            batch.fate = Batch.Fate.LOST;
            forgetStamp(batch);
        }
        if (placedUnseen.isEmpty()) {
            acknowledgedEnd = Math.min(acknowledgedEnd, base);
        }
    }

    /** The stamp of this producer's next batch. */
    ProducerStamp nextStamp(long producer) {
        Batch last = lastOf(producer);
        long next = last == null || last.stamp == null ? 0 : last.stamp.sequence() + last.count();
        return new ProducerStamp(producer, producerEpochs.getOrDefault(producer, 1), next);
    }

    @Nullable
    Batch lastOf(long producer) {
        List<Batch> all = byProducer.get(producer);
        return all == null || all.isEmpty() ? null : all.getLast();
    }

    /** Reads everything and compares; what it finds becomes what must be there from now on when the log is open. */
    void check(PartitionLog log, boolean mayLoseTail, boolean honest) {
        this.mayLoseTail = mayLoseTail;
        placedUnseen.clear();
        LogStatus status = log.status();
        String at = spec + " " + status.state() + ": ";
        long first = status.firstOffset();
        long end = status.endOffset();
        long readEnd = readAll(log, first, honest);
        known = status.state() == LogStatus.State.OPEN && honest;
        lowestEndBefore = lowestEnd;
        lowestEnd = known ? Long.MAX_VALUE : Math.min(lowestEnd, persistedEnd);
        if (!known) {
            return;
        }
        require(
                first >= deletedEnd || !honest,
                () -> at + "deleted messages came back: begins at " + first + ", not " + deletedEnd);
        require(
                first <= deletionAskedEnd || !honest,
                () -> at + "begins at " + first + ", deletion was asked to " + deletionAskedEnd);
        require(readEnd == end, () -> at + "readable to " + readEnd + " of " + end);
        require(
                end >= persistedEnd,
                () -> at + "persisted messages are lost: ends at " + end + ", not " + persistedEnd);
        require(
                mayLoseTail || end >= acknowledgedEnd,
                () -> at + "acknowledged messages are lost: ends at " + end + ", not " + acknowledgedEnd);
        adopt(first, end);
    }

    private void adopt(long first, long end) {
        for (Batch batch : byId.values()) {
            boolean gone = batch.fate == Batch.Fate.OPEN || (batch.fate == Batch.Fate.PLACED && batch.end() > end);
            if (gone) {
                placed.remove(batch.base, batch);
                batch.fate = Batch.Fate.LOST;
                forgetStamp(batch);
            }
        }
        deletedEnd = Math.max(deletedEnd, first);
        persistedEnd = end;
        acknowledgedEnd = end;
    }

    private long readAll(PartitionLog log, long first, boolean honest) {
        var reader = new Reader(honest);
        long from = first;
        while (true) {
            try (Slice slice = log.read(from, 1000, 1 << 20, Visibility.TOPIC)) {
                if (slice.count() == 0) {
                    break;
                }
                reader.read(slice, from);
                from = slice.nextOffset();
            } catch (io.keptlog.domain.KeptlogException e) {
                require(
                        log.status().state() == LogStatus.State.DAMAGED || !honest,
                        () -> spec + " cannot be read: " + e.getMessage());
                break;
            }
        }
        reader.ended(from);
        return from;
    }

    /** A look at some messages while the log is being written to. */
    void checkSlice(Slice slice, long from) {
        new Reader(true).read(slice, from);
    }

    /** Follows messages in the order of their offsets. */
    private final class Reader {
        private final boolean honest;
        private @Nullable Batch batch;
        private int index;

        Reader(boolean honest) {
            this.honest = honest;
        }

        void read(Slice slice, long from) {
            long offset = slice.startOffset();
            require(
                    slice.gap() != null || offset == from,
                    () -> spec + ": read from " + from + " begins at " + slice.startOffset());
            for (RecordRun run : slice.runs()) {
                require(run.firstOffset() == offset, spec + ": a hole before " + run.firstOffset());
                MemorySegment records = run.records();
                long at = 0;
                for (int i = 0; i < run.count(); i++) {
                    int length = records.get(RecordLayout.U32, at);
                    message(offset++, records.asSlice(at, length));
                    at += length;
                }
            }
        }

        private void message(long offset, MemorySegment record) {
            long id = record.get(RecordLayout.U64, RecordLayout.ID_LOW);
            Batch expected = batch;
            if (expected == null || index == expected.count()) {
                expected = find(id);
                index = (int) (id - expected.firstId);
                batch = expected;
            }
            Batch found = expected;
            byte[] sent = found.records.get(index);
            require(
                    record.byteSize() == sent.length && record.mismatch(MemorySegment.ofArray(sent)) == -1,
                    () -> spec + ": message " + offset + " has other bytes than " + found + "[" + index + "]");
            long base = offset - index;
            if (honest) {
                require(
                        found.fate == Batch.Fate.OPEN || found.fate == Batch.Fate.PLACED,
                        () -> spec + ": found at " + offset + ": " + found);
                require(
                        found.fate == Batch.Fate.OPEN || found.base == base,
                        () -> spec + ": found at " + offset + ": " + found);
                if (found.fate == Batch.Fate.OPEN) {
                    found.base = base;
                    if (index == 0) {
                        pendingPlaced = found;
                    }
                    if (index == found.count() - 1 && pendingPlaced == found) {
                        placed(found, base);
                    }
                }
            }
            index++;
        }

        private @Nullable Batch pendingPlaced;

        /** Ids of a batch follow each other. */
        private Batch find(long id) {
            Batch known = byId.get(id);
            for (long first = id - 1; known == null && first > id - 16; first--) {
                Batch before = byId.get(first);
                known = before != null && before.firstId + before.count() > id ? before : null;
            }
            if (known == null) {
                throw new AssertionError(spec + ": message " + id + " was never sent");
            }
            return known;
        }

        void ended(long at) {
            Batch last = batch;
            require(
                    last == null || index == last.count() || !honest,
                    () -> spec + ": ends at " + at + " within " + last);
        }
    }
}
