// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/** Name and password; version and context of the client are taken and not used. */
public record LoginRequest(
        @NotNull @Schema(example = "iggy") String username,
        @NotNull @Schema(example = "a long password") String password,
        @Nullable String version,
        @Nullable String context) {
    @Override
    public String toString() {
        return "LoginRequest[" + username + "]";
    }
}
