// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.util.Locale;
import java.util.Optional;

/** What "success" of a write means (requirements A1): the policy of a topic, and the level that one write has reached. */
public enum Durability {
    /** Committed and applied; no stable-storage barrier. Survives a crash of the process. */
    REPLICATED,
    /** Data and every newly created file name are on stable storage. Survives power loss. */
    PERSISTED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Durability> parse(String text) {
        for (Durability d : values()) {
            if (d.wireName().equals(text)) {
                return Optional.of(d);
            }
        }
        return Optional.empty();
    }

    public Durability atLeast(Durability other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
