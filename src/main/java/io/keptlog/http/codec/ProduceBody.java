// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Partitioning;

/**
 * A whole produce request, checked and encoded. The batch lies in pooled memory: it is valid until {@link #close}, which whoever
 * received this calls once the append has returned, also when it failed. Not thread-safe.
 */
public final class ProduceBody implements AutoCloseable {
    private final Partitioning partitioning;
    private final MessageBatch batch;
    private final BatchBuilder owner;

    ProduceBody(Partitioning partitioning, MessageBatch batch, BatchBuilder owner) {
        this.partitioning = partitioning;
        this.batch = batch;
        this.owner = owner;
    }

    public Partitioning partitioning() {
        return partitioning;
    }

    public MessageBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        owner.close();
    }
}
