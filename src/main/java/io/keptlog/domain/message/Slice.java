// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.Gap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a read found: consecutive messages from {@code startOffset} on. Pins the memory it points at until it is closed; whoever
 * received it closes it, once, in the end. Not thread-safe.
 *
 * @param startOffset offset of the first message, or where the next one would be when there is none
 * @param count messages in all runs
 * @param endOffset the end that was visible to this read, exclusive
 * @param epoch the partition's epoch at the time of the read
 * @param gap set when the wanted start is no longer there
 * @param unpin releases the memory; called exactly once
 */
public record Slice(
        List<RecordRun> runs,
        long startOffset,
        int count,
        long endOffset,
        long epoch,
        @Nullable Gap gap,
        Runnable unpin)
        implements AutoCloseable {
    /** Offset of the message after the last one of this slice. */
    public long nextOffset() {
        return startOffset + count;
    }

    @Override
    public void close() {
        unpin.run();
    }
}
