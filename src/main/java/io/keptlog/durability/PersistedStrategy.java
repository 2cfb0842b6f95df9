// SPDX-License-Identifier: Apache-2.0
package io.keptlog.durability;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Evidence;
import io.keptlog.storage.SyncTarget;

/** Data and every newly created file name on stable storage before the reply (Iggy's {@code durability=persisted}). */
public final class PersistedStrategy implements DurabilityStrategy {
    @Override
    public Durability level() {
        return Durability.PERSISTED;
    }

    @Override
    public Evidence await(SyncTarget target, long end, Deadline deadline) {
        return target.awaitPersisted(end, deadline);
    }

    @Override
    public void begin(SyncTarget target) {
        target.kick();
    }
}
