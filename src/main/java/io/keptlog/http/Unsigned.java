// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import org.jspecify.annotations.Nullable;

/**
 * Numbers in paths, queries and headers: exact or 400, never cut, never rounded. ASCII digits only: no sign, no blank, no exponent. A
 * leading zero is a digit. u64 values are carried in a long's 64 bits.
 */
public final class Unsigned {
    private static final int U64_MAX_DIGITS = 20;

    private Unsigned() {}

    /**
     * @param text null = absent
     * @throws KeptlogException INVALID_FORMAT naming the field
     */
    public static int u31(@Nullable String text, String field, int absent) {
        return text == null ? absent : u31(text, field);
    }

    /** A u32 that must fit an int as well, because nothing larger is ever assigned (partition numbers, counts). */
    public static int u31(String text, String field) {
        long value = u32(text, field);
        if (value > Integer.MAX_VALUE) {
            throw refused(field, Integer.MAX_VALUE + "");
        }
        return (int) value;
    }

    public static long u32(@Nullable String text, String field, long absent) {
        return text == null ? absent : u32(text, field);
    }

    public static long u32(String text, String field) {
        requireDigits(text, field, "4294967295");
        long value = text.length() > U64_MAX_DIGITS ? -1 : parse(text);
        if (value < 0 || value > 0xFFFF_FFFFL) {
            throw refused(field, "4294967295");
        }
        return value;
    }

    public static long u64(@Nullable String text, String field, long absent) {
        return text == null ? absent : u64(text, field);
    }

    /** The 64 bits of the number; compare with {@link Long#compareUnsigned}. */
    public static long u64(String text, String field) {
        requireDigits(text, field, "18446744073709551615");
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw refused(field, "18446744073709551615");
        }
    }

    /** Negative when the number does not fit 63 bits. */
    private static long parse(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static void requireDigits(String text, String field, String largest) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw refused(field, largest);
        }
    }

    private static KeptlogException refused(String field, String largest) {
        return new KeptlogException(
                ErrorCode.INVALID_FORMAT, "'" + field + "' must be a whole number from 0 to " + largest + ".", field);
    }
}
