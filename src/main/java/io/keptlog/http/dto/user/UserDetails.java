// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.keptlog.domain.catalog.UserEntry;
import org.jspecify.annotations.Nullable;

/** A user with permissions. */
public record UserDetails(@JsonUnwrapped UserInfo user, @Nullable PermissionsBody permissions) {
    public static UserDetails of(UserEntry user) {
        return new UserDetails(UserInfo.of(user), PermissionsBody.of(user.permissions()));
    }
}
