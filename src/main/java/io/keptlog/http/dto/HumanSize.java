// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto;

import java.util.Locale;

/** Sizes as the contract shows them to people: {@code "0 B"}, {@code "1.2 MB"}; decimal units, at most two digits after the point. */
public final class HumanSize {
    private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};

    private HumanSize() {}

    /**
     * @param bytes not negative
     */
    public static String of(long bytes) {
        int unit = 0;
        double shown = bytes;
        while (shown >= 1000 && unit < UNITS.length - 1) {
            shown /= 1000;
            unit++;
        }
        String number = String.format(Locale.ROOT, "%.2f", shown);
        return number.replaceFirst("\\.?0+$", "") + " " + UNITS[unit];
    }
}
