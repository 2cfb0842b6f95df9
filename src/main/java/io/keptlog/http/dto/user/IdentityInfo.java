// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.keptlog.access.Sessions;
import io.swagger.v3.oas.annotations.media.Schema;

/** Who logged in, with the token for the next requests. */
public record IdentityInfo(@Schema(description = "Id of the user; root is 0.") int userId, AccessToken accessToken) {
    /** A JWT. */
    public record AccessToken(
            @Schema(description = "Send it as 'Authorization: Bearer <token>'.") String token,
            @Schema(description = "When it ends, in seconds since the epoch.") long expiry) {}

    public static IdentityInfo of(Sessions.Issued issued) {
        return new IdentityInfo(issued.userId(), new AccessToken(issued.token(), issued.expirySeconds()));
    }

    @Override
    public String toString() {
        return "IdentityInfo[" + userId + "]";
    }
}
