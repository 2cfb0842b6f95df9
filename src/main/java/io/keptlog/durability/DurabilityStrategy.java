// SPDX-License-Identifier: Apache-2.0
package io.keptlog.durability;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Evidence;
import io.keptlog.storage.SyncTarget;

/**
 * What "success" means at one level. Owns nothing and keeps no state: one instance serves every thread and every store, because a log's
 * tail and an offset journal's tail are both a {@link SyncTarget}. Which level a topic wants is the topic's policy; {@code ack=none} is
 * not a level but a request that does not wait.
 */
public interface DurabilityStrategy {
    Durability level();

    /**
     * Waits until everything before {@code end} has reached this level.
     *
     * @return what was reached: this level or more
     * @throws io.keptlog.domain.KeptlogException PRODUCE_TIMEOUT, SYNC_FAILED: the write may be stored
     */
    Evidence await(SyncTarget target, long end, Deadline deadline);

    /** Sets in motion what {@link #await} would wait for, and does not wait. */
    void begin(SyncTarget target);
}
