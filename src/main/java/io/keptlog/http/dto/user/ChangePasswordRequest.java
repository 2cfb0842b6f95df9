// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** The password that is, and the one that shall be. */
public record ChangePasswordRequest(
        @NotNull @Schema(example = "a long password") String currentPassword,
        @NotNull @Schema(description = "3 to 100 bytes.", example = "a longer password") String newPassword) {
    @Override
    public String toString() {
        return "ChangePasswordRequest[]";
    }
}
