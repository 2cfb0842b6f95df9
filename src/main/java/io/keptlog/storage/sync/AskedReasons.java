// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.StoreObserver.SyncReason;

/** The reasons for which a sync was asked since the last one began. Written under the owner's lock, looked at by anybody. */
@SuppressWarnings("EnumOrdinal") // bits of an int, in memory only
final class AskedReasons {
    private static final int URGENT = bit(SyncReason.ACK) | bit(SyncReason.BARRIER) | bit(SyncReason.SHUTDOWN);

    private volatile int bits;

    private static int bit(SyncReason reason) {
        return 1 << reason.ordinal();
    }

    boolean contains(SyncReason reason) {
        return (bits & bit(reason)) != 0;
    }

    boolean none() {
        return bits == 0;
    }

    /** Whether somebody waits for it. */
    boolean urgent() {
        return (bits & URGENT) != 0;
    }

    /** Under the lock. */
    void add(SyncReason reason) {
        int now = bits;
        bits = now | bit(reason);
    }

    /** Under the lock: forgets them all; the one that counts is the first in the order of their declaration. */
    SyncReason take() {
        int now = bits;
        bits = 0;
        return now == 0 ? SyncReason.ACK : SyncReason.values()[Integer.numberOfTrailingZeros(now)];
    }
}
