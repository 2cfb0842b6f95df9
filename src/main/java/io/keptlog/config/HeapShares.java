// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.Limits;
import io.keptlog.http.edge.HttpLimits;

/**
 * What a heap has room for: the defaults of the settings that bound memory. A large heap is bounded by {@link Limits}, a small one by
 * itself, so that a server refuses before it runs out of memory.
 *
 * @param heapBytes the most that the heap may become
 */
record HeapShares(long heapBytes) {
    private static final int FEWEST = 64;

    static HeapShares ofThisProcess() {
        return new HeapShares(Runtime.getRuntime().maxMemory());
    }

    /** Bodies in work: a quarter, and at least the largest one. */
    long bodyBytes(long largestBodyBytes) {
        return Math.max(HttpLimits.heldBy(largestBodyBytes), heapBytes / 4);
    }

    /** Two fifths, when all of them are open. */
    int connections() {
        return Math.clamp(heapBytes * 2 / 5 / Limits.CONNECTION_BYTES, FEWEST, Limits.CONNECTIONS_MAX);
    }

    /** Three quarters of the connections: writers find a place. */
    int liveReaders() {
        return Math.min(Limits.LIVE_READERS_DEFAULT, connections() * 3 / 4);
    }

    /** Others find a place as well. */
    int liveReadersPerUser() {
        return Math.min(Limits.LIVE_READERS_PER_USER_DEFAULT, liveReaders() * 9 / 10);
    }

    /** Arrays of one size that are kept for the next request. */
    int pooledClassBytes() {
        return (int) Math.min(Limits.POOLED_CLASS_BYTES, heapBytes / 128);
    }
}
