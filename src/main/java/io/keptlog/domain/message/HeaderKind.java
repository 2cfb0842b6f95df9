// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.Limits;
import java.util.Locale;
import java.util.Optional;

/**
 * Type of a user header's key or value (Iggy's header kinds). Stored form of either: kind u8, length u32 little-endian, bytes.
 */
public enum HeaderKind {
    RAW(1, 0),
    STRING(2, 0),
    BOOL(3, 1),
    INT8(4, 1),
    INT16(5, 2),
    INT32(6, 4),
    INT64(7, 8),
    INT128(8, 16),
    UINT8(9, 1),
    UINT16(10, 2),
    UINT32(11, 4),
    UINT64(12, 8),
    UINT128(13, 16),
    FLOAT32(14, 4),
    FLOAT64(15, 8);

    /** Stored bytes before the value: kind and length. */
    public static final int PREFIX_BYTES = 5;

    private static final HeaderKind[] KINDS = values();

    private final int code;
    private final int exactLengthBytes;
    private final String wireName = name().toLowerCase(Locale.ROOT);

    HeaderKind(int code, int exactLengthBytes) {
        this.code = code;
        this.exactLengthBytes = exactLengthBytes;
    }

    /** Iggy's number of the kind, from 1 on. */
    public int code() {
        return code;
    }

    public String wireName() {
        return wireName;
    }

    /** Whether a key or value of this kind may have this many bytes. */
    public boolean takes(int lengthBytes) {
        return exactLengthBytes == 0
                ? lengthBytes >= 1 && lengthBytes <= Limits.USER_HEADER_PART_MAX_BYTES
                : lengthBytes == exactLengthBytes;
    }

    public static Optional<HeaderKind> ofCode(int code) {
        return code >= 1 && code <= KINDS.length ? Optional.of(KINDS[code - 1]) : Optional.empty();
    }

    public static Optional<HeaderKind> parse(String text) {
        for (HeaderKind kind : KINDS) {
            if (kind.wireName.equals(text)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** What {@link #takes} asks for, for people. */
    public String lengthRule() {
        return exactLengthBytes == 0
                ? "1 to " + Limits.USER_HEADER_PART_MAX_BYTES + " bytes"
                : "exactly " + exactLengthBytes + (exactLengthBytes == 1 ? " byte" : " bytes");
    }
}
