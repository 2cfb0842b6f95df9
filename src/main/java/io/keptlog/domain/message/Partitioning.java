// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.Limits;

/** How a produce request chooses its partition (Iggy HTTP API §4). One choice holds for the whole request. */
public sealed interface Partitioning {
    /** The server's turn, one partition per request. */
    record Balanced() implements Partitioning {}

    /**
     * The client's choice.
     *
     * @param id unsigned 32-bit number
     */
    record PartitionId(long id) implements Partitioning {
        public PartitionId {
            if (id < 0 || id > 0xFFFF_FFFFL) {
                throw new IllegalArgumentException("partition id " + id);
            }
        }
    }

    /**
     * Messages with the same key go to the same partition while the number of partitions stays.
     *
     * @param key 1 to 255 bytes; not copied
     */
    record MessagesKey(byte[] key) implements Partitioning {
        public MessagesKey {
            if (key.length == 0 || key.length > Limits.MESSAGE_KEY_MAX_BYTES) {
                throw new IllegalArgumentException("key of " + key.length + " bytes");
            }
        }
    }

    Partitioning BALANCED = new Balanced();
}
