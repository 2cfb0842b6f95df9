// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

/**
 * Reads a message id from ASCII: a decimal number up to 2^128 − 1, 32 hex digits, or a UUID (its hex digits as one number). A text of
 * digits alone is decimal. Holds the last one read; not thread-safe.
 */
public final class MessageIdReader {
    private static final int DECIMAL_MAX_DIGITS = 39;
    /** As many decimal digits always fit u64. */
    private static final int LONG_SAFE_DIGITS = 19;

    private static final int HEX_DIGITS = 32;
    private static final int UUID_CHARS = 36;

    private long high;
    private long low;

    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    public boolean isZero() {
        return (high | low) == 0;
    }

    public void set(long newHigh, long newLow) {
        high = newHigh;
        low = newLow;
    }

    /**
     * @return false when the text is none of the three forms
     */
    public boolean readText(byte[] text, int base, int end) {
        return readDecimal(text, base, end)
                || (end - base == HEX_DIGITS && readHex(text, base, end))
                || (end - base == UUID_CHARS && dashesAreRight(text, base) && readHex(text, base, end));
    }

    /**
     * @return false when it is not a decimal number below 2^128
     */
    public boolean readDecimal(byte[] text, int base, int end) {
        int digits = end - base;
        if (digits < 1 || digits > DECIMAL_MAX_DIGITS) {
            return false;
        }
        long h = 0;
        long l = 0;
        for (int p = base; p < end; p++) {
            int digit = text[p] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            if (p - base < LONG_SAFE_DIGITS) {
                l = l * 10 + digit;
                continue;
            }
            long carry = Math.unsignedMultiplyHigh(l, 10);
            long lower = l * 10 + digit;
            if (Long.compareUnsigned(lower, digit) < 0) {
                carry++;
            }
            if (Math.unsignedMultiplyHigh(h, 10) != 0) {
                return false;
            }
            long higher = h * 10 + carry;
            if (Long.compareUnsigned(higher, carry) < 0) {
                return false;
            }
            h = higher;
            l = lower;
        }
        set(h, l);
        return true;
    }

    private static boolean dashesAreRight(byte[] text, int base) {
        return text[base + 8] == '-' && text[base + 13] == '-' && text[base + 18] == '-' && text[base + 23] == '-';
    }

    /** 32 hex digits, with dashes where a UUID has them. */
    private boolean readHex(byte[] text, int base, int end) {
        boolean dashes = end - base == UUID_CHARS;
        long h = 0;
        long l = 0;
        int digits = 0;
        for (int p = base; p < end; p++) {
            int at = p - base;
            if (dashes && (at == 8 || at == 13 || at == 18 || at == 23)) {
                continue;
            }
            int digit = text[p] < 0 ? -1 : Character.digit(text[p], 16);
            if (digit < 0) {
                return false;
            }
            if (digits++ < HEX_DIGITS / 2) {
                h = h << 4 | digit;
            } else {
                l = l << 4 | digit;
            }
        }
        set(h, l);
        return true;
    }
}
