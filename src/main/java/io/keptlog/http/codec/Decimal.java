// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

/** Unsigned numbers as decimal digits in a byte array, without an object. */
final class Decimal {
    static final int U64_MAX_CHARS = 20;
    static final int U128_MAX_CHARS = 39;

    private static final long TEN_TO_9 = 1_000_000_000L;
    private static final long TEN_TO_10 = 10_000_000_000L;
    private static final byte[] PAIRS = new byte[200];

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private Decimal() {}

    /**
     * @return position after the last digit
     */
    static int put(long value, byte[] into, int at) {
        if (value < 0) {
            long upper = Long.divideUnsigned(value, TEN_TO_10);
            int next = put(upper, into, at);
            putPadded(value - upper * TEN_TO_10, 10, into, next);
            return next + 10;
        }
        int digits = digits(value);
        putPadded(value, digits, into, at);
        return at + digits;
    }

    /** Long division by 10^9 over 32-bit limbs: three times at most until the rest fits 64 bits. */
    static int put(long high, long low, byte[] into, int at) {
        if (high == 0) {
            return put(low, into, at);
        }
        long a = high >>> 32;
        long b = high & 0xFFFF_FFFFL;
        long c = low >>> 32;
        long d = low & 0xFFFF_FFFFL;
        long group0 = 0;
        long group1 = 0;
        long group2 = 0;
        int groups = 0;
        while ((a | b) != 0) {
            b |= a % TEN_TO_9 << 32;
            a /= TEN_TO_9;
            c |= b % TEN_TO_9 << 32;
            b /= TEN_TO_9;
            d |= c % TEN_TO_9 << 32;
            c /= TEN_TO_9;
            long rest = d % TEN_TO_9;
            d /= TEN_TO_9;
            switch (groups++) {
                case 0 -> group0 = rest;
                case 1 -> group1 = rest;
                default -> group2 = rest;
            }
        }
        int next = put(c << 32 | d, into, at);
        if (groups == 3) {
            putPadded(group2, 9, into, next);
            next += 9;
        }
        if (groups >= 2) {
            putPadded(group1, 9, into, next);
            next += 9;
        }
        if (groups >= 1) {
            putPadded(group0, 9, into, next);
            next += 9;
        }
        return next;
    }

    private static int digits(long value) {
        int digits = 1;
        long bound = 10;
        while (digits < 19 && value >= bound) {
            bound *= 10;
            digits++;
        }
        return digits;
    }

    private static void putPadded(long value, int digits, byte[] into, int at) {
        long rest = value;
        int p = at + digits;
        while (p - at >= 2) {
            int pair = (int) (rest % 100) * 2;
            rest /= 100;
            into[--p] = PAIRS[pair + 1];
            into[--p] = PAIRS[pair];
        }
        if (p > at) {
            into[at] = (byte) ('0' + rest);
        }
    }
}
