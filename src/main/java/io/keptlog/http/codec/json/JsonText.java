// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

/**
 * The slow path of a JSON string: one that holds escapes or bytes beyond ASCII. Resolves the escapes into an array that is used again and
 * checks that the bytes are UTF-8 and that surrogates come in pairs. Not thread-safe.
 */
final class JsonText {
    private static final byte[] EMPTY = new byte[0];

    private byte[] resolved = EMPTY;
    private int length;

    byte[] bytes() {
        return resolved;
    }

    int length() {
        return length;
    }

    /**
     * Reads on from the first byte that is not plain.
     *
     * @param base of the string, after its quote
     * @param stop the first byte that is not plain
     * @param end of the body
     * @param scanner makes the refusals
     * @return position after the closing quote
     */
    int read(byte[] bytes, int base, int stop, int end, JsonScanner scanner) {
        length = 0;
        int plain = base;
        int p = stop;
        while (bytes[p] != '"') {
            byte c = bytes[p];
            if (c == '\\') {
                copy(bytes, plain, p);
                p = escape(bytes, p, scanner);
                plain = p;
            } else if (c >= 0 && c < ' ') {
                throw scanner.notJson(p, "a control character in a string");
            } else {
                int count = c >= 0 ? 1 : sequenceLength(bytes, p, end);
                if (count == 0) {
                    throw scanner.notJson(p, "a string is not UTF-8");
                }
                p += count;
            }
        }
        copy(bytes, plain, p);
        return p + 1;
    }

    private void copy(byte[] bytes, int from, int to) {
        int more = to - from;
        room(more);
        System.arraycopy(bytes, from, resolved, length, more);
        length += more;
    }

    private void room(int more) {
        if (resolved.length - length < more) {
            byte[] larger = new byte[Math.max(64, (length + more) * 2)];
            System.arraycopy(resolved, 0, larger, 0, length);
            resolved = larger;
        }
    }

    private int escape(byte[] bytes, int at, JsonScanner scanner) {
        int simple =
                switch (bytes[at + 1]) {
                    case '"', '\\', '/' -> bytes[at + 1];
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    case 'u' -> -1;
                    default -> throw scanner.notJson(at + 1, "an unknown escape");
                };
        if (simple >= 0) {
            put(simple);
            return at + 2;
        }
        int unit = unit(bytes, at, scanner);
        int p = at + 6;
        int codePoint = unit;
        if (Character.isHighSurrogate((char) unit) && bytes[p] == '\\' && bytes[p + 1] == 'u') {
            int low = unit(bytes, p, scanner);
            if (Character.isLowSurrogate((char) low)) {
                codePoint = Character.toCodePoint((char) unit, (char) low);
                p += 6;
            }
        }
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            throw scanner.notJson(at, "a surrogate without its other half");
        }
        putCodePoint(codePoint);
        return p;
    }

    /** The four hex digits of an escape; the body's slack keeps the look ahead inside the array. */
    private static int unit(byte[] bytes, int at, JsonScanner scanner) {
        int unit = 0;
        for (int p = at + 2; p < at + 6; p++) {
            int digit = bytes[p] < 0 ? -1 : Character.digit(bytes[p], 16);
            if (digit < 0) {
                throw scanner.notJson(p, "four hex digits are expected");
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    private void put(int b) {
        room(1);
        resolved[length++] = (byte) b;
    }

    private void putCodePoint(int c) {
        if (c < 0x80) {
            put(c);
        } else if (c < 0x800) {
            put(0xC0 | c >> 6);
            put(continuation(c));
        } else if (c < 0x10000) {
            put(0xE0 | c >> 12);
            put(continuation(c >> 6));
            put(continuation(c));
        } else {
            put(0xF0 | c >> 18);
            put(continuation(c >> 12));
            put(continuation(c >> 6));
            put(continuation(c));
        }
    }

    private static int continuation(int bits) {
        return 0x80 | (bits & 0x3F);
    }

    /** Bytes of the UTF-8 sequence that begins here, 0 when there is no valid one (Unicode, table 3-7). */
    private static int sequenceLength(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xFF;
        int count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || at + count > end) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < count; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return count;
    }
}
