// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest confirmed frames of a partition, so that tail readers never wait for a bookie. One writer (the log's callbacks), any number
 * of readers. Bounded in bytes.
 */
public final class RecentFrames {
    private final ConcurrentSkipListMap<Long, StoredFrame> byBase = new ConcurrentSkipListMap<>();
    private final long maxBytes;
    private long bytes;

    public RecentFrames(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Callbacks of one log come one after the other. */
    public void add(StoredFrame frame) {
        byBase.put(frame.baseOffset(), frame);
        bytes += frame.lengthBytes();
        while (bytes > maxBytes && byBase.size() > 1) {
            Map.Entry<Long, StoredFrame> oldest = byBase.pollFirstEntry();
            bytes -= oldest.getValue().lengthBytes();
        }
    }

    /** The frame that holds this offset, or null. */
    @Nullable
    public StoredFrame find(long offset) {
        Map.Entry<Long, StoredFrame> found = byBase.floorEntry(offset);
        return found == null || offset >= found.getValue().endOffset() ? null : found.getValue();
    }
}
