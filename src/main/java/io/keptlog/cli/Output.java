// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.util.Locale;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** How commands write numbers and JSON. */
final class Output {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final double UNIT_STEP = 1024;

    private Output() {}

    static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    static String size(long bytes) {
        int unit = 0;
        double value = (double) bytes;
        while (value >= UNIT_STEP && unit < UNITS.length - 1) {
            value /= UNIT_STEP;
            unit++;
        }
        return unit == 0
                ? String.format(Locale.ROOT, "%.0f %s", value, UNITS[unit])
                : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    /** Says in one line why a command did nothing. */
    static int refuse(String what, String why, int exitCode) {
        System.err.println(what + ": " + why);
        return exitCode;
    }
}
