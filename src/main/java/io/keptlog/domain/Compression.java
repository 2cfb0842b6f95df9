// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.util.Locale;
import java.util.Optional;

/** Iggy's topic option {@code compression_algorithm}: stored and reported, no compression is applied. */
public enum Compression {
    NONE,
    GZIP;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Compression> parse(String text) {
        for (Compression c : values()) {
            if (c.wireName().equals(text)) {
                return Optional.of(c);
            }
        }
        return Optional.empty();
    }
}
