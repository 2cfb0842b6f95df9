// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.catalog.UserEntry;
import org.jspecify.annotations.Nullable;

/**
 * Who makes the current request.
 *
 * @param username as it was when the request was let in
 * @param session the JWT that was presented, or null for a password or a personal access token
 */
public record Caller(int userId, String username, @Nullable Session session) {
    /**
     * A JWT that was verified.
     *
     * @param expirySeconds unix time
     * @param generation of the user when it was made
     */
    public record Session(String jwtId, long expirySeconds, int generation) {}

    static Caller of(UserEntry user, @Nullable Session session) {
        return new Caller(user.id(), user.username(), session);
    }

    public boolean isRoot() {
        return userId == UserEntry.ROOT_ID;
    }
}
