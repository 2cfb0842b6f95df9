// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.keptlog.domain.catalog.UserEntry;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A user with permissions. */
public record UserDetails(
        int id,
        @Schema(description = "Microseconds since the epoch.") long createdAt,
        UserStatus status,
        String username,
        @Schema(description = "Always empty: no user option exists.") Map<String, String> options,
        @Nullable PermissionsBody permissions) {
    public static UserDetails of(UserEntry user) {
        return new UserDetails(
                user.id(),
                user.createdAtMicros(),
                UserStatus.of(user.active()),
                user.username(),
                Map.of(),
                PermissionsBody.of(user.permissions()));
    }
}
