// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.storage.producer.ProducerState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where copies of what a partition remembers of its producers are kept, so that an opening reads only the frames after the newest one. The
 * first exists before the first frame of a producer does: without a copy there is no such frame.
 */
public interface ProducerCopies {
    /**
     * The newest copy; null when no producer ever wrote.
     *
     * @throws io.keptlog.domain.KeptlogException QUORUM_UNAVAILABLE, PARTITION_DAMAGED
     */
    @Nullable
    Copy read();

    /**
     * Durable when this returns; does nothing when there is one that reaches as far.
     *
     * @throws io.keptlog.domain.KeptlogException QUORUM_UNAVAILABLE, SYNC_FAILED: the former copy stays
     */
    void write(Copy copy);

    /**
     * What is remembered of all frames before an offset.
     *
     * @param endOffset exclusive
     * @param producers the one that appended least recently first
     */
    record Copy(long endOffset, List<ProducerState> producers) {}
}
