// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The type of an option's value, and its bytes in an option's listing: little-endian numbers, one byte for a bool, UTF-8 for text. */
enum OptionKind {
    STRING,
    BOOL,
    UINT32,
    UINT64;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    byte[] encode(String canonical) {
        return switch (this) {
            case STRING -> canonical.getBytes(StandardCharsets.UTF_8);
            case BOOL -> new byte[] {(byte) (canonical.equals("true") ? 1 : 0)};
            case UINT32 -> ByteBuffer.allocate(Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(Integer.parseUnsignedInt(canonical))
                    .array();
            case UINT64 -> ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(Long.parseUnsignedLong(canonical))
                    .array();
        };
    }
}
