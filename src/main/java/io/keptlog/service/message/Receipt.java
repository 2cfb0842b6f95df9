// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.Durability;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.PartitionRef;

/**
 * What a produce request is told (requirements D1): where its messages are and what that has survived so far.
 *
 * @param policy the topic's
 * @param endOffset exclusive
 * @param epoch boot number of the server that wrote them
 * @param persistedEndOffset everything in the partition before it is on stable storage, at the moment of the reply
 * @param duplicate the messages were stored before; the offsets are those of their first life
 */
public record Receipt(
        PartitionRef partition,
        Durability policy,
        long baseOffset,
        long endOffset,
        Evidence evidence,
        long epoch,
        long persistedEndOffset,
        boolean duplicate) {
    /**
     * The same receipt for a request of several batches.
     *
     * @param firstOffset of the first batch
     * @param allDuplicates every batch was stored before
     */
    public Receipt from(long firstOffset, boolean allDuplicates) {
        return new Receipt(
                partition, policy, firstOffset, endOffset, evidence, epoch, persistedEndOffset, allDuplicates);
    }
}
