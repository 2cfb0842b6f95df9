// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import io.keptlog.domain.QuorumPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a partition is kept.
 *
 * @param policy in force for the next ledger
 * @param ledgers oldest first, each with the policy it was made with
 * @param entries as many as were asked for
 * @param kept what the owner knows of the copies; null when it cannot be asked now
 */
public record PartitionReplication(
        QuorumPolicy policy,
        List<LedgerReplication> ledgers,
        List<EntryReplication> entries,
        @Nullable KeptDepth kept) {}
