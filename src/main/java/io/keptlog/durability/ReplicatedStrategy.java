// SPDX-License-Identifier: Apache-2.0
package io.keptlog.durability;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Evidence;
import io.keptlog.storage.SyncTarget;

/** Committed and applied, no stable-storage barrier (Iggy's {@code durability=replicated}). */
public final class ReplicatedStrategy implements DurabilityStrategy {
    @Override
    public Durability level() {
        return Durability.REPLICATED;
    }

    @Override
    public Evidence await(SyncTarget target, long end, Deadline deadline) {
        return target.awaitReplicated(end, deadline);
    }

    @Override
    public void begin(SyncTarget target) {
        // The append itself is all there is: the store's flush schedule bounds what a power cut could take.
    }
}
