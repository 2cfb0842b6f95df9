// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import java.io.IOException;

/** What a {@link SyncOwner} puts on stable storage. Ends are offsets or record numbers, as the log counts. */
public interface Syncable {
    /** For logs and faults, for example {@code partition 0/1/2}. */
    String component();

    /** Whether a sync would have anything to do. Any thread; may be wrong for a moment. */
    boolean dirty();

    /**
     * Puts everything that was appended before this call on stable storage. Only the owner calls it, never twice at the same time. When
     * it throws, whatever it throws, nothing is known to be synced and it is never called again.
     *
     * @return end of what is now synced, exclusive
     */
    long sync() throws IOException;

    /** After a good sync, when its waiters are released: work that no acknowledgement waits for. A Throwable fences like one of a sync. */
    default void synced() throws IOException {}

    /**
     * Called once, before any waiter hears of it and before another sync could begin. Must not throw.
     *
     * @return whether it is news: false for a log that was closed or deleted before
     */
    boolean fenced(Throwable cause);
}
