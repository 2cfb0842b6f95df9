// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A new user. Lengths are checked in UTF-8 bytes. */
public record CreateUserRequest(
        @NotNull @Schema(description = "3 to 50 bytes.", example = "orders-writer") String username,
        @NotNull @Schema(description = "3 to 100 bytes.", example = "a long password") String password,
        @Nullable @Schema(description = "active when absent.") UserStatus status,
        @Nullable @Valid PermissionsBody permissions,
        @Nullable @Schema(description = "No user option exists: must be empty.") Map<String, @NotNull String> options) {
    @Override
    public String toString() {
        return "CreateUserRequest[" + username + "]";
    }
}
