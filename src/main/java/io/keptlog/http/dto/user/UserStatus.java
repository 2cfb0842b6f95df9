// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a user may log in. */
public enum UserStatus {
    @JsonProperty("active")
    ACTIVE,
    @JsonProperty("inactive")
    INACTIVE;

    static UserStatus of(boolean active) {
        return active ? ACTIVE : INACTIVE;
    }

    public boolean isActive() {
        return this == ACTIVE;
    }
}
