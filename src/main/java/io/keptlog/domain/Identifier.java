// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.nio.charset.StandardCharsets;

/** A path id: a number that fits u32, leading zeros or not, else a name of 1..255 bytes (Iggy HTTP API §1). ASCII digits only count as a number. */
public sealed interface Identifier {
    int U32_MAX_DIGITS = 10;

    record Numeric(long value) implements Identifier {}

    record Name(String value) implements Identifier {}

    /**
     * @throws KeptlogException INVALID_IDENTIFIER when the text is empty or longer than 255 bytes
     */
    static Identifier parse(String text, String field) {
        if (text.isEmpty() || !fits(text)) {
            throw new KeptlogException(
                    ErrorCode.INVALID_IDENTIFIER,
                    "An identifier is a number up to 4294967295 or a name of 1 to 255 bytes.",
                    field);
        }
        if (!isDigits(text)) {
            return new Name(text);
        }
        int start = 0;
        while (start < text.length() - U32_MAX_DIGITS && text.charAt(start) == '0') {
            start++;
        }
        if (text.length() - start <= U32_MAX_DIGITS) {
            long number = Long.parseLong(text, start, text.length(), 10);
            if (number <= 0xFFFF_FFFFL) {
                return new Numeric(number);
            }
        }
        return new Name(text);
    }

    private static boolean fits(String text) {
        // A character of a string has at most three bytes.
        return text.length() <= Limits.NAME_MAX_BYTES / 3
                || text.getBytes(StandardCharsets.UTF_8).length <= Limits.NAME_MAX_BYTES;
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }
}
