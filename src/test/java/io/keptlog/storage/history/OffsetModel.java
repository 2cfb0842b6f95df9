// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the stored offset of each consumer of each partition life may be; −1 = none. */
final class OffsetModel {
    /** @param consumer numbered by the model */
    record Key(long incarnation, int consumer) {}

    /** @param end in the journal of this life; larger than any other while its answer is not known */
    private record Written(long end, long value) {}

    /** Oldest first; the first one is on stable storage. */
    private final Map<Key, List<Written>> candidates = new HashMap<>();

    private final Map<Key, Written> open = new HashMap<>();
    /** Answered with "it may be stored". */
    private final Map<Key, List<Written>> unanswered = new HashMap<>();

    private List<Written> of(Key key) {
        return candidates.computeIfAbsent(key, k -> new ArrayList<>(List.of(new Written(0, -1))));
    }

    /** Whether the journal of this life was surely begun, with all that was found. */
    private boolean begun = true;

    long now(Key key) {
        return of(key).getLast().value;
    }

    void begins(Key key, long value) {
        open.put(key, new Written(Long.MAX_VALUE, value));
    }

    void refused(Key key) {
        open.remove(key);
    }

    void unknown(Key key) {
        unanswered.computeIfAbsent(key, k -> new ArrayList<>()).add(open.remove(key));
    }

    void wrote(Key key, long end) {
        begun = true;
        of(key).add(new Written(end, open.remove(key).value));
    }

    /** Everything written in this life up to here is on stable storage. */
    void persisted(long end) {
        for (List<Written> list : candidates.values()) {
            while (list.size() > 1 && list.get(1).end <= end) {
                list.removeFirst();
            }
        }
    }

    /** Everything is on stable storage. What was found on a full disk is not, as long as nothing could be written. */
    void allPersisted() {
        if (!begun) {
            return;
        }
        persisted(Long.MAX_VALUE - 1);
    }

    /**
     * Compares after a start.
     *
     * @param mayLose what was not persisted may be gone
     * @param firstOffset,endOffset of the partition, which offsets beyond go back to
     * @param lowestEnd where the log may have ended when it was opened after the start, and took offsets back to; the largest number when
     *     it was open at the start
     * @param notWritten the disk may have been too full to write what was found: what was not on stable storage still is not
     */
    void check(
            Key key,
            long shown,
            boolean mayLose,
            long firstOffset,
            long endOffset,
            long lowestEnd,
            boolean notWritten) {
        List<Written> list = new ArrayList<>(of(key));
        Written last = list.getLast();
        if (open.containsKey(key)) {
            unknown(key);
        }
        List<Long> allowed = new ArrayList<>();
        for (Written one : mayLose ? list : List.of(last)) {
            allowed.add(clamped(one.value, firstOffset, endOffset));
        }
        for (Written one : unanswered.getOrDefault(key, List.of())) {
            allowed.add(clamped(one.value, firstOffset, endOffset));
        }
        unanswered.remove(key);
        if (!allowed.contains(shown) && list.stream().noneMatch(one -> isTakenBack(one.value, shown, lowestEnd))) {
            throw new AssertionError(key + " shows offset " + shown + ", allowed are " + allowed + "; log "
                    + firstOffset + " to " + endOffset);
        }
        begun = !notWritten;
        List<Written> now = new ArrayList<>();
        if (notWritten) {
            // Whatever this life syncs makes the last of them durable.
            list.forEach(one -> now.add(new Written(0, one.value)));
        }
        now.add(new Written(0, shown));
        candidates.put(key, now);
    }

    /** While the store runs: an offset that is another than the last one must have been taken back by a log that was opened. */
    void shows(Key key, long shown, long lowestEnd) {
        long expected = now(key);
        if (shown == expected) {
            return;
        }
        if (!isTakenBack(expected, shown, lowestEnd)) {
            throw new AssertionError(key + " shows " + shown + ", not " + expected);
        }
        candidates.put(key, new ArrayList<>(List.of(new Written(0, shown))));
    }

    private static boolean isTakenBack(long value, long shown, long lowestEnd) {
        return shown < value && shown >= lowestEnd - 1;
    }

    /** What is shown counts from now on, whatever it is. */
    void accept(Key key, long shown) {
        open.remove(key);
        unanswered.remove(key);
        candidates.put(key, new ArrayList<>(List.of(new Written(0, shown))));
    }

    private static long clamped(long value, long firstOffset, long endOffset) {
        if (value < endOffset) {
            return value;
        }
        return endOffset > firstOffset ? endOffset - 1 : -1;
    }
}
