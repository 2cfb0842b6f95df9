// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.nio.charset.StandardCharsets;

/** A path id: a number that fits u32, else a name of 1..255 bytes (Iggy HTTP API §1). ASCII digits only count as a number. */
public sealed interface Identifier {
    record Numeric(long value) implements Identifier {}

    record Name(String value) implements Identifier {}

    /**
     * @throws KeptlogException INVALID_IDENTIFIER when the text is empty or longer than 255 bytes
     */
    static Identifier parse(String text, String field) {
        if (text.isEmpty() || text.getBytes(StandardCharsets.UTF_8).length > Limits.NAME_MAX_BYTES) {
            throw new KeptlogException(
                    ErrorCode.INVALID_IDENTIFIER,
                    "An identifier is a number up to 4294967295 or a name of 1 to 255 bytes.",
                    field);
        }
        if (text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            long number = Long.parseLong(text);
            if (number <= 0xFFFF_FFFFL) {
                return new Numeric(number);
            }
        }
        return new Name(text);
    }
}
