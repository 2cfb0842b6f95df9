// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes of entries that some bookie still waits for, over all partitions of this broker. Thread-safe, never waits. */
public final class PendingBytes {
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();

    public PendingBytes(long maxBytes) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("pending bytes " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    /**
     * @throws KeptlogException SERVER_BUSY when the budget is used up; one entry is always let in
     */
    public void take(int length) {
        long before = bytes.getAndAdd(length);
        if (before > 0 && before + length > maxBytes) {
            bytes.addAndGet(-length);
            throw KeptlogException.retryable(
                    ErrorCode.SERVER_BUSY,
                    "Bookies are behind: " + before + " of " + maxBytes + " pending bytes are in use.",
                    1);
        }
    }

    public void release(int length) {
        bytes.addAndGet(-length);
    }

    public long bytes() {
        return bytes.get();
    }
}
