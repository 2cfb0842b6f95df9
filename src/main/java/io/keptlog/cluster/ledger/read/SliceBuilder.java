// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import io.keptlog.domain.Gap;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.frame.FrameLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts frames to what one read asked for: from its start, up to so many messages and bytes. One thread. */
final class SliceBuilder {
    private final List<RecordRun> runs = new ArrayList<>();
    private final long startOffset;
    private final int maxMessages;
    private final long maxBytes;
    private int count;
    private long bytes;

    SliceBuilder(long startOffset, int maxMessages, long maxBytes) {
        this.startOffset = startOffset;
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
    }

    long nextOffset() {
        return startOffset + count;
    }

    boolean full() {
        return count >= maxMessages || (count > 0 && bytes >= maxBytes);
    }

    long bytesLeft() {
        return Math.max(0, maxBytes - bytes);
    }

    /** Takes records from a frame that holds {@link #nextOffset}. */
    void add(StoredFrame frame) {
        long at = FrameLayout.HEADER_BYTES;
        long end = at + frame.header().bodyLength();
        for (long skip = nextOffset() - frame.baseOffset(); skip > 0; skip--) {
            at += frame.bytes().get(FrameLayout.U32, at + RecordLayout.LENGTH);
        }
        long from = at;
        long firstOffset = nextOffset();
        int taken = 0;
        while (at < end && !full()) {
            int length = frame.bytes().get(FrameLayout.U32, at + RecordLayout.LENGTH);
            at += length;
            bytes += length;
            count++;
            taken++;
        }
        if (taken > 0) {
            runs.add(new RecordRun(
                    frame.bytes().asSlice(from, at - from),
                    firstOffset,
                    taken,
                    frame.header().appendTimeMicros(),
                    frame.header().epoch()));
        }
    }

    /** The memory is the heap's: nothing to unpin. */
    Slice build(long visibleEnd, long epoch, @Nullable Gap gap) {
        return new Slice(List.copyOf(runs), startOffset, count, visibleEnd, epoch, gap, () -> {});
    }
}
