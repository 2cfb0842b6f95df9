// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.keptlog.domain.catalog.UserEntry;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;

/** A user in a list. */
public record UserInfo(
        int id,
        @Schema(description = "Microseconds since the epoch.") long createdAt,
        UserStatus status,
        String username,
        @Schema(description = "Always empty: no user option exists.") Map<String, String> options) {
    public static UserInfo of(UserEntry user) {
        return new UserInfo(user.id(), user.createdAtMicros(), UserStatus.of(user.active()), user.username(), Map.of());
    }
}
