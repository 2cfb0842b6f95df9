// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.MessageBatch;

/** Where an ndjson body's batches go, in order. */
@FunctionalInterface
public interface BatchSink {
    /**
     * Stores one batch. The batch is valid until this returns.
     *
     * @throws io.keptlog.domain.KeptlogException not stored, or the outcome is unknown: reading ends here
     */
    void store(MessageBatch batch);
}
