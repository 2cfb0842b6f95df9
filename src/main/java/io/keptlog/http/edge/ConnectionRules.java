// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import org.jspecify.annotations.Nullable;

/**
 * How connections are bounded and written down.
 *
 * @param max connections at once
 * @param maxPerAddress connections that one address may hold
 * @param accessLog {@link #TO_STANDARD_OUTPUT}, or the directory of the access log; null = none is written
 */
public record ConnectionRules(int max, int maxPerAddress, @Nullable String accessLog) {
    public static final String TO_STANDARD_OUTPUT = "stdout";
}
