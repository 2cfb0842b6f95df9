// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.SealedSegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a partition, the same for its owner and for a read-only take-over: recent frames from memory, older ones from the
 * bookies by header offset. A frame that begins below the expected offset was added twice and is skipped; one that begins above it is
 * damage. Thread-safe, waits at most {@code readTimeout}.
 */
public final class LedgerReads implements AutoCloseable {
    private static final int ENTRIES_PER_READ_MAX = 64;
    /** One step of {@link #frames} holds about so much. */
    private static final int REPLAY_STEP_BYTES = 4 << 20;

    private final LedgerChain chain;
    private final EntryReader reader;
    private final OffsetLocator locator;
    private final RecentFrames recent;
    private final Duration readTimeout;

    public LedgerReads(LedgerChain chain, EntryReader reader, RecentFrames recent, Duration readTimeout) {
        this.chain = chain;
        this.reader = reader;
        this.locator = new OffsetLocator(reader, chain);
        this.recent = recent;
        this.readTimeout = readTimeout;
    }

    /** A frame is confirmed; frames come in order. */
    public void confirmed(StoredFrame frame) {
        recent.add(frame);
        locator.confirmed(frame);
    }

    /** The frame in memory that holds the offset, or null. */
    @Nullable
    public StoredFrame recent(long offset) {
        return recent.find(offset);
    }

    public OffsetLocator locator() {
        return locator;
    }

    public EntryReader reader() {
        return reader;
    }

    public Slice read(
            long fromOffset,
            int maxMessages,
            long maxBytes,
            long firstOffset,
            long visibleEnd,
            long epoch,
            Gap.Reason why) {
        Gap gap = fromOffset < firstOffset ? new Gap(fromOffset, firstOffset, why) : null;
        var slice = new SliceBuilder(Math.max(fromOffset, firstOffset), maxMessages, maxBytes);
        var deadline = Deadline.in(readTimeout);
        while (!slice.full() && slice.nextOffset() < visibleEnd) {
            StoredFrame near = recent.find(slice.nextOffset());
            if (near != null) {
                slice.add(near);
            } else {
                fromBookies(slice, visibleEnd, deadline);
            }
        }
        return slice.build(visibleEnd, epoch, gap);
    }

    /** Adds at least one message. */
    private void fromBookies(SliceBuilder slice, long visibleEnd, Deadline deadline) {
        long wanted = slice.nextOffset();
        NavigableMap<Long, Long> ledgers = chain.entries();
        if (ledgers.isEmpty()) {
            throw damaged(wanted, visibleEnd);
        }
        OffsetLocator.Place place = locator.atOrBefore(wanted, ledgers, deadline);
        long first = place.entryId();
        int step = 1;
        for (Map.Entry<Long, Long> ledger :
                ledgers.tailMap(place.ledgerId(), true).entrySet()) {
            while (first < ledger.getValue()) {
                long last = Math.min(ledger.getValue() - 1, first + step - 1);
                for (StoredFrame frame : reader.range(ledger.getKey(), first, last, deadline)) {
                    if (frame.baseOffset() > slice.nextOffset()) {
                        throw damaged(slice.nextOffset(), frame.baseOffset());
                    }
                    if (frame.endOffset() > slice.nextOffset()) {
                        locator.confirmed(frame);
                        slice.add(frame);
                        step = next(step, slice, frame);
                    }
                    if (slice.full() || slice.nextOffset() >= visibleEnd) {
                        return;
                    }
                }
                first = last + 1;
            }
            first = 0;
        }
        if (slice.nextOffset() == wanted) {
            throw damaged(wanted, visibleEnd);
        }
    }

    /**
     * Every confirmed frame from an offset on, in order.
     *
     * @param fromOffset where a frame begins, not before the partition's first offset
     */
    public void frames(long fromOffset, long endOffset, Deadline deadline, Consumer<StoredFrame> each) {
        NavigableMap<Long, Long> ledgers = chain.entries();
        if (ledgers.isEmpty() || fromOffset >= endOffset) {
            return;
        }
        OffsetLocator.Place place = locator.atOrBefore(fromOffset, ledgers, deadline);
        long next = fromOffset;
        long first = place.entryId();
        long step = 1;
        for (Map.Entry<Long, Long> ledger :
                ledgers.tailMap(place.ledgerId(), true).entrySet()) {
            while (first < ledger.getValue()) {
                long last = Math.min(ledger.getValue() - 1, first + step - 1);
                for (StoredFrame frame : reader.range(ledger.getKey(), first, last, deadline)) {
                    if (frame.baseOffset() > next) {
                        throw damaged(next, frame.baseOffset());
                    }
                    if (frame.endOffset() > next) {
                        each.accept(frame);
                        next = frame.endOffset();
                        step = Math.clamp(REPLAY_STEP_BYTES / frame.lengthBytes(), 1, ENTRIES_PER_READ_MAX);
                    }
                }
                first = last + 1;
            }
            first = 0;
        }
    }

    /** Frames of a log are mostly alike: reads as many as the rest of the reply will hold. */
    private static int next(int step, SliceBuilder slice, StoredFrame frame) {
        long fit = 1 + slice.bytesLeft() / frame.lengthBytes();
        return (int) Math.max(1, Math.min(Math.min(ENTRIES_PER_READ_MAX, step * 4L), fit));
    }

    private static KeptlogException damaged(long from, long to) {
        return new KeptlogException(
                ErrorCode.PARTITION_DAMAGED, "Offsets " + from + " to " + (to - 1) + " are not in their ledgers.");
    }

    public long offsetAt(long micros, long firstOffset, long visibleEnd) {
        NavigableMap<Long, Long> ledgers = chain.entries();
        if (ledgers.isEmpty() || firstOffset >= visibleEnd) {
            return visibleEnd;
        }
        var deadline = Deadline.in(readTimeout);
        // Unsigned on the wire: what does not fit a long lies after every append.
        if (micros < 0) {
            return visibleEnd;
        }
        OffsetLocator.Place place = locator.beforeTime(micros, ledgers, deadline);
        StoredFrame frame = reader.one(place.ledgerId(), place.entryId(), deadline);
        long found = frame.header().appendTimeMicros() >= micros ? frame.baseOffset() : frame.endOffset();
        return Math.min(visibleEnd, Math.max(firstOffset, found));
    }

    /** Every ledger but the newest, as retention sees it. */
    public List<SealedSegment> sealed(@Nullable Long current, Map<Long, Long> sizes) {
        var deadline = Deadline.in(readTimeout);
        var sealed = new ArrayList<SealedSegment>();
        for (Map.Entry<Long, Long> ledger : chain.entries().entrySet()) {
            if (!ledger.getKey().equals(current)) {
                StoredFrame first = locator.first(ledger.getKey(), deadline);
                StoredFrame last = reader.one(ledger.getKey(), ledger.getValue() - 1, deadline);
                sealed.add(new SealedSegment(
                        first.baseOffset(),
                        last.endOffset(),
                        sizes.getOrDefault(ledger.getKey(), 0L),
                        last.header().appendTimeMicros()));
            }
        }
        return List.copyOf(sealed);
    }

    @Override
    public void close() {
        reader.close();
    }
}
