// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.record;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One change of the stored offsets. A record or a part of a snapshot is any number of these, little-endian, 34 bytes each:
 *
 * <pre>
 *  0 u8 type: 1 store, 2 delete, 3 forget the whole life, 4 taken back from
 *     this offset   1 u32 stream   5 u32 topic   9 u32 partition   13 u64 incarnation
 * 21 u8 kind: 0 consumer, 1 consumer group   22 u32 consumer   26 u64 offset        (0 where a type does not use it)
 * </pre>
 */
public record OffsetRecord(Type type, Life life, ConsumerKey consumer, long offset) {
    public static final int BYTES = 34;
    private static final ConsumerKey NOBODY = new ConsumerKey(ConsumerKey.Kind.CONSUMER, 0);

    /** What happens. */
    public enum Type {
        STORE,
        DELETE,
        FORGET,
        /** Behind the record that takes it back. A later store or delete ends it. */
        TAKEN_BACK
    }

    /** One life of a partition. */
    public record Life(PartitionRef ref, long incarnation) {
        public static Life of(PartitionSpec spec) {
            return new Life(spec.ref(), spec.incarnation());
        }
    }

    public static OffsetRecord store(Life life, ConsumerKey consumer, long offset) {
        return new OffsetRecord(Type.STORE, life, consumer, offset);
    }

    public static OffsetRecord delete(Life life, ConsumerKey consumer) {
        return new OffsetRecord(Type.DELETE, life, consumer, 0);
    }

    /** @param offset the one before a recovery took it back */
    public static OffsetRecord takenBack(Life life, ConsumerKey consumer, long offset) {
        return new OffsetRecord(Type.TAKEN_BACK, life, consumer, offset);
    }

    public static OffsetRecord forget(Life life) {
        return new OffsetRecord(Type.FORGET, life, NOBODY, 0);
    }

    public static byte[] encode(List<OffsetRecord> records) {
        ByteBuffer bytes = ByteBuffer.allocate(records.size() * BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (OffsetRecord r : records) {
            byte type =
                    switch (r.type) {
                        case STORE -> 1;
                        case DELETE -> 2;
                        case FORGET -> 3;
                        case TAKEN_BACK -> 4;
                    };
            PartitionRef ref = r.life.ref;
            bytes.put(type).putInt(ref.streamId()).putInt(ref.topicId()).putInt(ref.partitionId());
            bytes.putLong(r.life.incarnation);
            bytes.put((byte) (r.consumer.kind() == ConsumerKey.Kind.CONSUMER ? 0 : 1))
                    .putInt(r.consumer.id());
            bytes.putLong(r.offset);
        }
        return bytes.array();
    }

    /**
     * @throws IllegalArgumentException when this program has not written these bytes
     */
    public static List<OffsetRecord> decode(byte[] bytes) {
        if (bytes.length % BYTES != 0) {
            throw new IllegalArgumentException(bytes.length + " bytes of offsets");
        }
        ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        var records = new ArrayList<OffsetRecord>(bytes.length / BYTES);
        while (b.hasRemaining()) {
            Type type =
                    switch (b.get()) {
                        case 1 -> Type.STORE;
                        case 2 -> Type.DELETE;
                        case 3 -> Type.FORGET;
                        case 4 -> Type.TAKEN_BACK;
                        default -> throw new IllegalArgumentException("unknown offset record");
                    };
            var life = new Life(new PartitionRef(b.getInt(), b.getInt(), b.getInt()), b.getLong());
            ConsumerKey.Kind kind = b.get() == 0 ? ConsumerKey.Kind.CONSUMER : ConsumerKey.Kind.CONSUMER_GROUP;
            records.add(new OffsetRecord(type, life, new ConsumerKey(kind, b.getInt()), b.getLong()));
        }
        return records;
    }
}
