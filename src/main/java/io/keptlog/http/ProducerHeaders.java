// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.domain.message.ProducerStamp;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a produce request says of its producer in headers: all three, or nothing. Immutable.
 *
 * @param stamp of the request's first message; null = not idempotent
 */
record ProducerHeaders(@Nullable ProducerStamp stamp) {
    static final String ID = "Keptlog-Producer-Id";
    static final String EPOCH = "Keptlog-Producer-Epoch";
    static final String SEQUENCE = "Keptlog-Producer-Sequence";

    /**
     * @throws KeptlogException INVALID_FORMAT (not a number, or too large), BAD_REQUEST (one is missing, the id is 0)
     */
    static ProducerHeaders of(HttpServletRequest request) {
        String id = request.getHeader(ID);
        String epoch = request.getHeader(EPOCH);
        String sequence = request.getHeader(SEQUENCE);
        if (id == null && epoch == null && sequence == null) {
            return new ProducerHeaders(null);
        }
        long producerId = Unsigned.u64(given(id, ID), ID);
        int producerEpoch = (int) Unsigned.u32(given(epoch, EPOCH), EPOCH);
        long first = Unsigned.u64(given(sequence, SEQUENCE), SEQUENCE);
        if (producerId == 0) {
            throw new KeptlogException(ErrorCode.BAD_REQUEST, "A producer's id is not 0.", ID);
        }
        return new ProducerHeaders(new ProducerStamp(producerId, producerEpoch, first));
    }

    private static String given(@Nullable String value, String header) {
        if (value == null) {
            throw new KeptlogException(
                    ErrorCode.BAD_REQUEST,
                    "An idempotent producer sends " + ID + ", " + EPOCH + " and " + SEQUENCE + "; " + header
                            + " is missing.",
                    header);
        }
        return value;
    }

    /**
     * A retry must come to the partition of the first try.
     *
     * @param field where the request says how its partition is chosen
     * @throws KeptlogException BAD_REQUEST when the server is to choose one
     */
    void requireFixed(Partitioning partitioning, String field) {
        if (stamp != null && partitioning instanceof Partitioning.Balanced) {
            throw new KeptlogException(
                    ErrorCode.BAD_REQUEST,
                    "An idempotent producer names the partition or a key: a retry must find what the first try stored.",
                    field);
        }
    }

    /**
     * The batch with its stamp.
     *
     * @param messagesBefore of the same request, in earlier batches
     * @throws KeptlogException BAD_REQUEST when the sequence would pass the largest number
     */
    MessageBatch stamp(MessageBatch batch, long messagesBefore) {
        return stamp == null ? batch : batch.by(stamp.after(messagesBefore));
    }
}
