// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import io.keptlog.domain.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToLongFunction;

/**
 * Finds the entry that holds an offset or a time: the base offset of each ledger from its first entry, then binary search, narrowed by
 * places that were seen before. Only a cache: everything can be found again. Thread-safe.
 */
public final class OffsetLocator {
    /** Places remembered per partition; each saves a few reads. */
    private static final int NOTED_MAX = 4096;
    /** Every so many confirmed entries one is noted. */
    private static final int NOTE_EVERY = 64;

    private final EntryReader reader;
    private final LedgerChain chain;
    private final Map<Long, StoredFrame> firstFrames = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Long, Place> noted = new ConcurrentSkipListMap<>();

    public OffsetLocator(EntryReader reader, LedgerChain chain) {
        this.reader = reader;
        this.chain = chain;
    }

    /** An entry. */
    public record Place(long ledgerId, long entryId) {}

    /** A frame was confirmed; cheap. */
    public void confirmed(StoredFrame frame) {
        if (frame.entryId() % NOTE_EVERY == 0) {
            note(frame);
        }
    }

    private void note(StoredFrame frame) {
        noted.put(frame.baseOffset(), new Place(frame.ledgerId(), frame.entryId()));
        if (noted.size() > NOTED_MAX) {
            noted.pollFirstEntry();
        }
    }

    /** The first frame of a ledger that has entries. */
    public StoredFrame first(long ledgerId, Deadline deadline) {
        StoredFrame known = firstFrames.get(ledgerId);
        if (known == null) {
            known = reader.one(ledgerId, 0, deadline);
            firstFrames.put(ledgerId, known);
        }
        return known;
    }

    public void forgetBefore(long offset) {
        noted.headMap(offset).clear();
        firstFrames.keySet().retainAll(chain.entries().keySet());
    }

    /**
     * The newest entry whose base offset is at most the offset; the partition's first entry when there is none.
     *
     * @param ledgers not empty
     */
    public Place atOrBefore(long offset, NavigableMap<Long, Long> ledgers, Deadline deadline) {
        Map.Entry<Long, Place> below = noted.floorEntry(offset);
        if (below != null && below.getKey() == offset && stillThere(below.getValue(), ledgers)) {
            return below.getValue();
        }
        long ledgerId = newestLedger(ledgers, deadline, StoredFrame::baseOffset, offset);
        long low = 0;
        long high = ledgers.getOrDefault(ledgerId, 1L) - 1;
        if (below != null && below.getValue().ledgerId() == ledgerId) {
            low = below.getValue().entryId();
        }
        Map.Entry<Long, Place> above = noted.higherEntry(offset);
        if (above != null && above.getValue().ledgerId() == ledgerId) {
            high = Math.min(high, above.getValue().entryId() - 1);
        }
        return newestEntry(ledgerId, low, Math.max(low, high), deadline, StoredFrame::baseOffset, offset);
    }

    /** The newest entry that was appended before the time; the partition's first entry when there is none. */
    public Place beforeTime(long micros, NavigableMap<Long, Long> ledgers, Deadline deadline) {
        ToLongFunction<StoredFrame> time = f -> f.header().appendTimeMicros();
        long ledgerId = newestLedger(ledgers, deadline, time, micros - 1);
        return newestEntry(ledgerId, 0, ledgers.getOrDefault(ledgerId, 1L) - 1, deadline, time, micros - 1);
    }

    private static boolean stillThere(Place place, NavigableMap<Long, Long> ledgers) {
        return ledgers.getOrDefault(place.ledgerId(), 0L) > place.entryId();
    }

    private long newestLedger(
            NavigableMap<Long, Long> ledgers, Deadline deadline, ToLongFunction<StoredFrame> key, long atMost) {
        List<Long> ids = new ArrayList<>(ledgers.keySet());
        int low = 0;
        int high = ids.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (key.applyAsLong(first(ids.get(middle), deadline)) <= atMost) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return ids.get(low);
    }

    private Place newestEntry(
            long ledgerId, long from, long to, Deadline deadline, ToLongFunction<StoredFrame> key, long atMost) {
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            StoredFrame frame = reader.one(ledgerId, middle, deadline);
            note(frame);
            if (key.applyAsLong(frame) <= atMost) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Place(ledgerId, low);
    }
}
