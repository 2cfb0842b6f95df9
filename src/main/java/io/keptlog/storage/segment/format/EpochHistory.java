// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import io.keptlog.domain.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Which epoch wrote which offsets: each entry's epoch began at its base offset. Immutable; both numbers strictly increase. Tells a
 * reader that resumes under an older epoch how far that epoch's offsets still mean what it has seen (requirements D6).
 */
public record EpochHistory(List<Entry> entries) {
    /** An epoch and the first offset written under it. */
    public record Entry(long epoch, long baseOffset) {}

    public static final EpochHistory EMPTY = new EpochHistory(List.of());

    public EpochHistory {
        entries = List.copyOf(entries);
        if (!increases(entries) || entries.size() > Limits.EPOCHS_PER_PARTITION_MAX) {
            throw new IllegalArgumentException("not a history: " + entries);
        }
    }

    static boolean increases(List<Entry> entries) {
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).epoch() <= entries.get(i - 1).epoch()
                    || entries.get(i).baseOffset() <= entries.get(i - 1).baseOffset()) {
                return false;
            }
        }
        return true;
    }

    /** Newest epoch, 0 when nothing was ever written. */
    public long newest() {
        return entries.isEmpty() ? 0 : entries.getLast().epoch();
    }

    /** Epoch of the message at this offset, or of the oldest kept one when it is older; 0 when there are none. */
    public long at(long offset) {
        long epoch = entries.isEmpty() ? 0 : entries.getFirst().epoch();
        for (Entry entry : entries) {
            if (entry.baseOffset() > offset) {
                break;
            }
            epoch = entry.epoch();
        }
        return epoch;
    }

    /**
     * Where the offsets that this epoch knew end: the base of the first newer epoch, or the log's end. A reader that remembers this
     * epoch and wants to go on beyond that point saw messages that a recovery has cut.
     */
    public long endOf(long epoch, long logEnd) {
        for (Entry entry : entries) {
            if (entry.epoch() > epoch) {
                return entry.baseOffset();
            }
        }
        return logEnd;
    }

    /** With the epoch of an append at this offset; this very history when it is the newest already. */
    public EpochHistory with(long epoch, long baseOffset) {
        if (!entries.isEmpty() && newest() >= epoch) {
            return this;
        }
        int drop = Math.max(0, entries.size() + 1 - Limits.EPOCHS_PER_PARTITION_MAX);
        var more = new ArrayList<>(entries.subList(drop, entries.size()));
        more.add(new Entry(epoch, baseOffset));
        return new EpochHistory(more);
    }

    /** Without epochs that began at or after {@code endOffset}. */
    public EpochHistory cutAt(long endOffset) {
        return new EpochHistory(
                entries.stream().filter(e -> e.baseOffset() < endOffset).toList());
    }

    /** Without epochs of which no message is left at or after {@code firstOffset}. */
    public EpochHistory from(long firstOffset) {
        int keep = 0;
        for (int i = 1; i < entries.size() && entries.get(i).baseOffset() <= firstOffset; i++) {
            keep = i;
        }
        return new EpochHistory(entries.subList(keep, entries.size()));
    }
}
