// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.storage.Appended;
import io.keptlog.storage.SyncTarget;

/** Messages that are appended and not yet waited for. Immutable. */
public final class Pending {
    private final Route route;
    private final Appended appended;
    private final SyncTarget tail;
    private final int messages;
    private final long lengthBytes;
    private final long startNanos;

    Pending(Route route, Appended appended, SyncTarget tail, int messages, long lengthBytes, long startNanos) {
        this.route = route;
        this.appended = appended;
        this.tail = tail;
        this.messages = messages;
        this.lengthBytes = lengthBytes;
        this.startNanos = startNanos;
    }

    public Route route() {
        return route;
    }

    public long baseOffset() {
        return appended.baseOffset();
    }

    /** Exclusive. */
    public long endOffset() {
        return appended.endOffset();
    }

    /** Everything was stored before: the offsets are those of its first life. */
    public boolean duplicate() {
        return appended.duplicate();
    }

    Appended appended() {
        return appended;
    }

    SyncTarget tail() {
        return tail;
    }

    int messages() {
        return messages;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    long startNanos() {
        return startNanos;
    }
}
