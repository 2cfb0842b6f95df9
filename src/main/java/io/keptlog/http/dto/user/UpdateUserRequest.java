// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What changes about a user; null or absent leaves it as it is. */
public record UpdateUserRequest(
        @Nullable @Schema(description = "3 to 50 bytes.", example = "orders-writer") String username,
        @Nullable UserStatus status,
        @Nullable @Schema(description = "No user option exists: must be empty.")
                Map<String, @NotNull String> options) {}
