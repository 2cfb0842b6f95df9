// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

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
}
