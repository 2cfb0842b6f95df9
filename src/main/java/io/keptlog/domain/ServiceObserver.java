// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/** What the use cases tell about their work, for meters. Called on request threads: implementations return at once and throw nothing. */
public interface ServiceObserver {
    /** A batch was appended and has reached its level; no messages when all of it had been stored before. */
    default void produced(Durability reached, int messages, long bytes, long nanos) {}

    /** A batch was appended without anybody waiting for it (ack=none). */
    default void dispatched(int messages, long bytes) {}

    /** A poll was answered. */
    default void polled(int messages) {}

    /** An offset that a poll should have stored along the way was not. */
    default void autoCommitFailed() {}

    /** Segments were deleted because of age, size, or on request. */
    default void segmentsDeleted(Gap.Reason reason, int segments, long bytes) {}

    ServiceObserver NONE = new ServiceObserver() {};
}
