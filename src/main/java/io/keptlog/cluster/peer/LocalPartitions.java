// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.offsets.OffsetLedger;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.PartitionLog;
import java.util.List;

/** What this broker owns, or takes when nobody has it. All throw NOT_PRIMARY when another broker has the partition. */
public interface LocalPartitions {
    PartitionLog log(PartitionRef ref, long incarnation);

    /** For answers that another owner could contradict: the lease must hold. */
    PartitionLog readableLog(PartitionRef ref, long incarnation);

    /** An answer that another owner could contradict: the lease must hold still when it is given. */
    <T> T current(T answer);

    /** What a refusal is when the lease may have run out meanwhile. */
    KeptlogException current(KeptlogException refusal);

    OffsetLedger offsets(PartitionRef ref, long incarnation);

    /** Another broker has changed the catalog: what is asked for from now on may be new. */
    void catalogChanged();

    List<LedgerView> ledgers(PartitionRef ref, long incarnation);
}
