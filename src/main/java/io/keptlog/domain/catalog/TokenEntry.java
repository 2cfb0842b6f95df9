// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

/**
 * A personal access token. Only its digest is kept.
 *
 * @param sha256Hex digest of the token's text
 * @param expiryAtMicros microseconds since the epoch; −1 = never
 */
public record TokenEntry(String name, String sha256Hex, long createdAtMicros, long expiryAtMicros) {
    @Override
    public String toString() {
        return "TokenEntry[" + name + "]";
    }
}
