// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Answers one request of another broker. Any number of threads. */
public interface PeerHandler {
    /**
     * @throws io.keptlog.domain.KeptlogException is carried back to the other broker
     */
    void handle(Operation operation, DataInput request, DataOutput reply) throws IOException;

    /** What a broker asks of another one. */
    enum Operation {
        APPEND,
        READ,
        OFFSET_AT,
        STATUS,
        SEALED,
        DELETE_SEGMENTS,
        EVIDENCE,
        OFFSET_GET,
        OFFSET_STORE,
        OFFSET_DELETE,
        OFFSET_LIST,
        LEDGERS,
        /** What the owner knows of the copies. */
        KEPT_DEPTH,
        /** Waits for the visible end to move. */
        END_BEYOND,
        /** The catalog has changed. */
        CATALOG
    }
}
