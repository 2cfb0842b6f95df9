// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.util.Locale;

/** Names of members as the contract writes them. */
public final class SnakeCase {
    private SnakeCase() {}

    public static String of(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
