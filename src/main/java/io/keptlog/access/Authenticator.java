// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.TokenService;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Turns an Authorization header into a caller: {@code Bearer} with a JWT or a personal access token, or {@code Basic} with name and
 * password. Safe for any number of threads; changes nothing.
 */
public final class Authenticator {
    private final Sessions sessions;
    private final TokenService tokens;
    private final PasswordCheck passwords;

    public Authenticator(Sessions sessions, TokenService tokens, PasswordCheck passwords) {
        this.sessions = sessions;
        this.tokens = tokens;
        this.passwords = passwords;
    }

    /**
     * @throws KeptlogException ACCESS_TOKEN_MISSING (no header, another scheme, nothing in it), UNAUTHENTICATED,
     *     INVALID_PERSONAL_ACCESS_TOKEN, TOO_MANY_LOGIN_ATTEMPTS
     */
    public Caller authenticate(@Nullable String header, String address) {
        String bearer = credentials(header, "Bearer");
        if (bearer != null) {
            return bearer(bearer);
        }
        String basic = credentials(header, "Basic");
        if (basic != null) {
            return basic(basic, address);
        }
        throw new KeptlogException(
                ErrorCode.ACCESS_TOKEN_MISSING,
                "This needs 'Authorization: Bearer' with an access token, or HTTP Basic with name and password.");
    }

    /**
     * The user of a personal access token, who may be inactive.
     *
     * @throws KeptlogException INVALID_PERSONAL_ACCESS_TOKEN
     */
    public UserEntry ownerOf(String personalAccessToken) {
        TokenService.Owner owner = tokens.find(personalAccessToken);
        if (owner == null) {
            throw new KeptlogException(
                    ErrorCode.INVALID_PERSONAL_ACCESS_TOKEN,
                    "This personal access token does not exist or has expired.");
        }
        return owner.user();
    }

    private Caller bearer(String token) {
        if (!token.startsWith(TokenService.PREFIX)) {
            return sessions.verify(token);
        }
        UserEntry user = ownerOf(token);
        if (!user.active()) {
            throw new KeptlogException(ErrorCode.UNAUTHENTICATED, "The user of this token is not active.");
        }
        return Caller.of(user, null);
    }

    private Caller basic(String base64, String address) {
        String pair = decode(base64);
        int colon = pair.indexOf(':');
        if (colon < 0) {
            throw new KeptlogException(ErrorCode.UNAUTHENTICATED, "This is not HTTP Basic: no colon after the name.");
        }
        try {
            return Caller.of(passwords.check(pair.substring(0, colon), pair.substring(colon + 1), address), null);
        } catch (KeptlogException e) {
            if (e.code() == ErrorCode.INVALID_CREDENTIALS) {
                throw new KeptlogException(ErrorCode.UNAUTHENTICATED, e.reason());
            }
            throw e;
        }
    }

    private static String decode(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new KeptlogException(ErrorCode.UNAUTHENTICATED, "This is not HTTP Basic: not base64.");
        }
    }

    /** What follows the scheme, or null when it is another scheme or nothing follows. */
    private static @Nullable String credentials(@Nullable String header, String scheme) {
        if (header == null || !header.regionMatches(true, 0, scheme + " ", 0, scheme.length() + 1)) {
            return null;
        }
        String rest = header.substring(scheme.length() + 1).strip();
        return rest.isEmpty() ? null : rest;
    }
}
