// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.MessageIdReader;
import io.keptlog.domain.message.Partitioning;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What an octet-stream or ndjson request says about its messages in headers. */
final class RawHeaders {
    private RawHeaders() {}

    static Partitioning partitioning(@Nullable String key, @Nullable String partition) {
        if (key != null && partition != null) {
            throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "Keptlog-Key and Keptlog-Partition exclude each other.", "Keptlog-Key");
        }
        if (partition != null) {
            return new Partitioning.PartitionId(u32(partition));
        }
        if (key != null) {
            byte[] bytes = key.getBytes(charsetOf(key));
            if (bytes.length == 0 || bytes.length > Limits.MESSAGE_KEY_MAX_BYTES) {
                throw new KeptlogException(
                        ErrorCode.INVALID_KEY_VALUE_LENGTH,
                        "A key has 1 to " + Limits.MESSAGE_KEY_MAX_BYTES + " bytes, not " + bytes.length + ".",
                        "Keptlog-Key");
            }
            return new Partitioning.MessagesKey(bytes);
        }
        return Partitioning.BALANCED;
    }

    /** Reads the value of Keptlog-Message-Id; none leaves the reader at 0. */
    static void messageId(@Nullable String text, MessageIdReader into) {
        into.set(0, 0);
        if (text == null) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!into.readText(bytes, 0, bytes.length)) {
            throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND,
                    "A message id is a decimal number up to 2^128 - 1, 32 hex digits or a UUID.",
                    "Keptlog-Message-Id");
        }
    }

    /** A container hands header bytes out as chars below 256; a caller in the same process may hand in any text. */
    private static Charset charsetOf(String text) {
        return text.chars().allMatch(c -> c <= 0xFF) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    }

    private static long u32(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        long value = digits ? Long.parseLong(text) : -1;
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "A partition is a number up to 4294967295.", "Keptlog-Partition");
        }
        return value;
    }
}
