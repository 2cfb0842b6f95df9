// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** A token: a JWT to refresh, or a personal access token to log in with. */
public record TokenRequest(
        @NotNull @Schema(description = "The whole text of the token.", example = "kpt_...") String token) {
    @Override
    public String toString() {
        return "TokenRequest[]";
    }
}
