// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * What a store tells about its work, for meters. Called on the store's own threads: implementations return at once and throw nothing.
 */
public interface StoreObserver {
    /** Why a sync was made. */
    enum SyncReason {
        ACK,
        MESSAGES,
        BYTES,
        AGE,
        SEAL,
        BARRIER,
        SHUTDOWN,
        JOURNAL
    }

    /** One sync of a log or a journal ended. */
    default void synced(SyncReason reason, long nanos, int waitersReleased, boolean failed) {}

    /** A partition or a journal was fenced. */
    default void fenced(String component) {}

    /** A segment was sealed and the next one begun. */
    default void rolled() {}

    /** A full disk refused a write. */
    default void noSpace() {}

    /** Recovery of one partition ended. */
    default void recovered(long nanos, long bytesRead, int reports) {}

    /** A sealed segment was read again, of so many bytes. */
    default void scrubbed(long bytes) {}

    /** A sealed segment that was whole is damaged. */
    default void scrubDamage() {}

    StoreObserver NONE = new StoreObserver() {};
}
