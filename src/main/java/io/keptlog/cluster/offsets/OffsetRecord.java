// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.offsets;

import io.keptlog.domain.ConsumerKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * An entry of an offset ledger, little-endian: a row of records, each applied to what came before.
 *
 * <pre>
 *  0  u8   1 store, 2 delete, 3 forget everything (the first record of a snapshot)
 *  1  u8   0 consumer, 1 consumer group
 *  2  u32  consumer's number
 *  6  u64  offset (zero for 2 and 3)
 * </pre>
 *
 * Integrity is the ledger's own: BookKeeper checks a digest of every entry that is read.
 */
final class OffsetRecord {
    private static final int LENGTH_BYTES = 14;
    private static final byte STORE = 1;
    private static final byte DELETE = 2;
    private static final byte CLEAR = 3;
    private static final ConsumerKey NOBODY = new ConsumerKey(ConsumerKey.Kind.CONSUMER, 0);

    private OffsetRecord() {}

    static byte[] store(ConsumerKey consumer, long offset) {
        return put(ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN), STORE, consumer, offset)
                .array();
    }

    static byte[] delete(ConsumerKey consumer) {
        return put(ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN), DELETE, consumer, 0)
                .array();
    }

    static byte[] snapshot(Map<ConsumerKey, Long> offsets) {
        ByteBuffer bytes =
                ByteBuffer.allocate(LENGTH_BYTES * (offsets.size() + 1)).order(ByteOrder.LITTLE_ENDIAN);
        put(bytes, CLEAR, NOBODY, 0);
        offsets.forEach((consumer, offset) -> put(bytes, STORE, consumer, offset));
        return bytes.array();
    }

    private static ByteBuffer put(ByteBuffer bytes, byte type, ConsumerKey consumer, long offset) {
        return bytes.put(type)
                .put((byte) (consumer.kind() == ConsumerKey.Kind.CONSUMER ? 0 : 1))
                .putInt(consumer.id())
                .putLong(offset);
    }

    /**
     * @throws IllegalStateException not an entry of an offset ledger
     */
    static void apply(byte[] entry, Map<ConsumerKey, Long> offsets) {
        ByteBuffer bytes = ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN);
        if (entry.length % LENGTH_BYTES != 0) {
            throw new IllegalStateException("an offset entry of " + entry.length + " bytes");
        }
        while (bytes.hasRemaining()) {
            byte type = bytes.get();
            var kind = bytes.get() == 0 ? ConsumerKey.Kind.CONSUMER : ConsumerKey.Kind.CONSUMER_GROUP;
            var consumer = new ConsumerKey(kind, bytes.getInt());
            long offset = bytes.getLong();
            switch (type) {
                case STORE -> offsets.put(consumer, offset);
                case DELETE -> offsets.remove(consumer);
                case CLEAR -> offsets.clear();
                default -> throw new IllegalStateException("an offset record of type " + type);
            }
        }
    }
}
