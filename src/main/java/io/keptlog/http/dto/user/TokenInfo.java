// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.keptlog.domain.catalog.TokenEntry;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A personal access token in a list; its text is never shown again. */
public record TokenInfo(
        String name, @Nullable @Schema(description = "Microseconds since the epoch; null = never.") Long expiryAt) {
    public static TokenInfo of(TokenEntry token) {
        return new TokenInfo(token.name(), token.expiryAtMicros() < 0 ? null : token.expiryAtMicros());
    }
}
