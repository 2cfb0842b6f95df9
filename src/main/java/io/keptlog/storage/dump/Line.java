// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds one line of a dump. */
final class Line {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final Map<String, Object> values = new LinkedHashMap<>();

    private Line() {}

    static Line of(String what) {
        return new Line().with("what", what);
    }

    Line with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    Line withUnlessNull(String name, @Nullable Object value) {
        return value == null ? this : with(name, value);
    }

    Line hex(String name, int value) {
        return with(name, String.format("%08x", value));
    }

    Line hex(String name, long value) {
        return with(name, String.format("%016x", value));
    }

    /** UTC, ISO 8601. */
    Line time(String name, long micros) {
        Instant time = Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1_000);
        return with(name, time.toString());
    }

    Map<String, Object> values() {
        return values;
    }
}
