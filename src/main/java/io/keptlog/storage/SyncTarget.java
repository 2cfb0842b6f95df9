// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Evidence;

/**
 * Something whose tail can be waited for: a partition's log (ends are offsets) or a journal (ends are record numbers). What log and
 * journal share, so that one strategy serves both.
 *
 * <p>Safe for any number of threads. A wait that is interrupted goes on to its deadline and restores the interrupt flag.
 */
public interface SyncTarget {
    /**
     * Waits until everything before {@code end} is committed and applied. On one node that is so when the append has returned; in a
     * cluster it is when the ack quorum has answered.
     *
     * @throws io.keptlog.domain.KeptlogException PRODUCE_TIMEOUT (outcome unknown) at the deadline, SYNC_FAILED
     */
    Evidence awaitReplicated(long end, Deadline deadline);

    /**
     * Waits until everything before {@code end} is on stable storage, and asks for it to be put there.
     *
     * @throws io.keptlog.domain.KeptlogException PRODUCE_TIMEOUT (outcome unknown) at the deadline, SYNC_FAILED when the sync that
     *     should have covered it failed
     */
    Evidence awaitPersisted(long end, Deadline deadline);

    /** Asks for everything appended so far to be put on stable storage, without waiting (ack=none on a persisted topic). */
    void kick();

    /** Everything before this is on stable storage. Never decreases. */
    long persistedEnd();
}
