// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;

/** Told where a recovered log ends, before anything can be appended to it. */
@FunctionalInterface
public interface CutListener {
    /**
     * Whatever else remembers offsets of this partition beyond the end goes back to it, on stable storage when this returns. Called for
     * every partition that becomes appendable, also when nothing was seen to be cut (a power cut may take a tail without a trace), and
     * again after a recovery that was killed: must be repeatable. Never called for a refused partition.
     *
     * @param endOffset exclusive
     */
    void onCut(PartitionSpec partition, long firstOffset, long endOffset);

    /** Nothing else remembers offsets. */
    CutListener NONE = (partition, firstOffset, endOffset) -> {};
}
