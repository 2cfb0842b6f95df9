// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Encoded records, ready to become one frame. The bytes belong to the batch until the append returns; the store does not keep them.
 *
 * @param bytes holds the records from {@code bodyOffset} on; the room before it is for the frame's header
 * @param bodyLength bytes of records, without padding
 * @param count messages, at least 1
 * @param bodyCrc CRC32C of the records
 */
public record MessageBatch(
        byte[] bytes, int bodyOffset, int bodyLength, int count, int bodyCrc, @Nullable ProducerStamp producer) {
    public MessageBatch {
        if (count < 1 || bodyLength < count * (long) RecordLayout.HEADER_BYTES) {
            throw new IllegalArgumentException(count + " messages in " + bodyLength + " bytes");
        }
        if (bodyOffset < 0 || bodyOffset + (long) bodyLength > bytes.length) {
            throw new IllegalArgumentException("body " + bodyOffset + "+" + bodyLength + " of " + bytes.length);
        }
    }

    /**
     * The same messages, sent by a producer.
     *
     * @throws KeptlogException BAD_REQUEST when the sequence would pass the largest u64
     */
    public MessageBatch by(ProducerStamp stamp) {
        long next = stamp.sequence() + count;
        if (Long.compareUnsigned(next, stamp.sequence()) <= 0) {
            throw new KeptlogException(
                    ErrorCode.BAD_REQUEST,
                    "Sequence " + Long.toUnsignedString(stamp.sequence()) + " and the " + count
                            + " messages that count on from it pass the largest number.",
                    "Keptlog-Producer-Sequence");
        }
        return new MessageBatch(bytes, bodyOffset, bodyLength, count, bodyCrc, stamp);
    }

    /**
     * The batch without its first messages, in the same bytes.
     *
     * @param messages at least 1, fewer than {@link #count}
     */
    public MessageBatch without(int messages) {
        if (messages < 1 || messages >= count) {
            throw new IllegalArgumentException(messages + " of " + count + " messages");
        }
        int at = bodyOffset;
        int end = bodyOffset + bodyLength;
        for (int i = 0; i < messages; i++) {
            int length =
                    end - at < RecordLayout.HEADER_BYTES ? 0 : LittleEndian.getInt(bytes, at + RecordLayout.LENGTH);
            if (length < RecordLayout.HEADER_BYTES || length >= end - at) {
                throw new IllegalArgumentException("record " + i + " of " + count + " does not end in the batch");
            }
            at += length;
        }
        var crc = new CRC32C();
        crc.update(bytes, at, end - at);
        ProducerStamp rest = producer == null ? null : producer.after(messages);
        return new MessageBatch(bytes, at, end - at, count - messages, (int) crc.getValue(), rest);
    }
}
