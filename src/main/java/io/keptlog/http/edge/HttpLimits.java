// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.BufferPool;

/**
 * What the edge lets in at once; sizes in bytes.
 *
 * @param requestBodyBytes largest request body; for ndjson, largest line
 * @param inFlightBytes memory of request bodies in work at once, server-wide
 * @param writesPerUser produce requests of one user in work at once
 */
public record HttpLimits(long requestBodyBytes, long inFlightBytes, int writesPerUser) {
    /** What surrounds a body or a batch in its array. */
    private static final int ARRAY_ROOM_BYTES = BatchBuilder.HEAD_ROOM_BYTES + BatchBuilder.TAIL_ROOM_BYTES;

    public HttpLimits {
        if (requestBodyBytes < 1 || inFlightBytes < heldBy(requestBodyBytes) || writesPerUser < 1) {
            throw new IllegalArgumentException("request body " + requestBodyBytes + ", in flight " + inFlightBytes
                    + ", per user " + writesPerUser);
        }
    }

    /** What a body takes while it is worked on: an array for it, and one for the batch that it becomes. */
    public static long heldBy(long bodyBytes) {
        return 2 * BufferPool.lengthFor(bodyBytes + ARRAY_ROOM_BYTES);
    }

    /** What a stream of lines takes, of which one batch, or one long line, is held at a time. */
    long heldByLines(long declaredBytes) {
        long most = Math.max(requestBodyBytes, Limits.NDJSON_BATCH_BYTES);
        long held = declaredBytes < 0 ? most : Math.min(declaredBytes, most);
        return Math.min(inFlightBytes, heldBy(held));
    }
}
