// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.storage.producer.ProducerStates;

/**
 * What a log says of its idempotent producers at its end.
 *
 * @param seen whether any of its frames carries a producer, or may
 * @param forgotten whether only a snapshot that cannot be used knew some of them: their frames are deleted
 * @param snapshotEnd end offset of the snapshot on disk that was believed, −1 when none was
 */
public record RecoveredProducers(ProducerStates states, boolean seen, boolean forgotten, long snapshotEnd) {
    /** No producer has written. */
    public static RecoveredProducers nothing() {
        return new RecoveredProducers(new ProducerStates(), false, false, -1);
    }
}
