// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Fault;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.Removal;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All partition logs of this server. A partition is made in three steps, so that a crash between any two leaves nothing half done:
 * {@link #prepare} (files made and synced aside), the catalog's durable record, {@link #open} (put in place, appendable).
 */
public interface PartitionLogs extends AutoCloseable {
    /**
     * Makes what new partitions need, durable and aside: after this, a catalog record may name them. Repeatable.
     *
     * @throws io.keptlog.domain.KeptlogException NO_SPACE; nothing is left behind that a restart does not clean up
     */
    void prepare(List<PartitionSpec> specs);

    /** Puts prepared partitions in place and opens them. A former life of the same place is moved to the trash first. */
    void open(List<PartitionSpec> specs);

    /** Throws away what {@link #prepare} made, when the catalog refused it. */
    void discard(List<PartitionSpec> specs);

    /** The log of this place and life, or null. One map look-up. */
    @Nullable
    PartitionLog find(PartitionRef ref);

    /** All open logs, in no order. */
    Collection<PartitionLog> all();

    /**
     * Closes the logs of these lives, moves their files to the trash and deletes them. Waits for nothing that readers hold. Repeatable,
     * also for lives that are gone.
     *
     * @return those that are gone for good; the others are tried again at the next start
     */
    List<Removal> remove(Collection<Removal> removals);

    /** What is fenced, damaged or read-only now. */
    List<Fault> faults();

    AtRisk atRisk();

    /**
     * Refuses new appends, syncs everything, and says whether every log could be synced. After it, the store may be marked clean.
     *
     * @return partitions whose final sync failed; empty = all is on stable storage
     */
    List<PartitionRef> drain(io.keptlog.domain.Deadline deadline);

    /** Something else of the store could not be stopped cleanly: {@link #close} leaves no mark of a clean stop. */
    default void withholdCleanMark() {}

    @Override
    void close();
}
