// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import jakarta.validation.constraints.NotNull;

/** A token: a JWT to refresh, or a personal access token to log in with. */
public record TokenRequest(@NotNull String token) {
    @Override
    public String toString() {
        return "TokenRequest[]";
    }
}
