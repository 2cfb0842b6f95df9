// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.TokenEntry;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.storage.Catalog;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Personal access tokens in the catalog: {@code kpt_USERID_SECRET} with 256 random bits, so that a look-up touches one user's tokens
 * only. Only the SHA-256 of the text is kept: the text is random and long, so a slow hash would add nothing. Safe for any number of
 * threads; a crash keeps what was returned. Times in microseconds since the epoch.
 */
public final class TokenService {
    public static final String PREFIX = "kpt_";
    private static final int SECRET_BYTES = 32;
    /** A token's text is far shorter; longer ones are not even hashed. */
    private static final int TEXT_MAX_CHARS = 100;

    private final Catalog catalog;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    public TokenService(Catalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /** A token that was just made; its text is shown once and kept nowhere. */
    public record Created(String text, TokenEntry entry) {
        @Override
        public String toString() {
            return "Created[" + entry.name() + "]";
        }
    }

    /** Whose token it is. */
    public record Owner(UserEntry user, TokenEntry token) {}

    /** By name; expired ones are listed until they are deleted or make room. */
    public List<TokenEntry> list(int userId) {
        UserEntry user = catalog.state().users().get(userId);
        return user == null ? List.of() : List.copyOf(user.tokens().values());
    }

    /**
     * @param expiryMicros life from now on, unsigned; 0 = the server's default, which is never; −1 (all bits set) = never
     * @throws KeptlogException INVALID_PERSONAL_ACCESS_TOKEN_NAME, PERSONAL_ACCESS_TOKEN_ALREADY_EXISTS,
     *     PERSONAL_ACCESS_TOKENS_LIMIT_REACHED, INVALID_PERSONAL_ACCESS_TOKEN_EXPIRY: nothing changed
     */
    public Created create(int userId, String name, long expiryMicros) {
        UserRules.requireTokenName(name);
        long now = Micros.now(clock);
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String text =
                PREFIX + userId + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        var entry = new TokenEntry(name, digest(text), now, expiryAt(now, expiryMicros));
        makeRoom(userId, now);
        catalog.change(state -> {
            UserEntry user = require(state, userId);
            if (user.tokens().containsKey(name)) {
                throw new KeptlogException(
                        ErrorCode.PERSONAL_ACCESS_TOKEN_ALREADY_EXISTS,
                        "A personal access token named '" + name + "' already exists.",
                        "name");
            }
            if (user.tokens().size() >= Limits.TOKENS_PER_USER_MAX) {
                throw new KeptlogException(
                        ErrorCode.PERSONAL_ACCESS_TOKENS_LIMIT_REACHED,
                        "A user has at most " + Limits.TOKENS_PER_USER_MAX + " personal access tokens.");
            }
            return new CatalogChange.TokenCreated(userId, entry);
        });
        return new Created(text, entry);
    }

    /**
     * @throws KeptlogException NOT_FOUND
     */
    public void delete(int userId, String name) {
        catalog.change(state -> {
            if (!require(state, userId).tokens().containsKey(name)) {
                throw new KeptlogException(
                        ErrorCode.NOT_FOUND, "There is no personal access token named '" + name + "'.", "name");
            }
            return new CatalogChange.TokenDeleted(userId, name);
        });
    }

    /** The owner of a token that exists and has not expired, or null. The user may be inactive. */
    public @Nullable Owner find(String text) {
        int end = text.indexOf('_', PREFIX.length());
        if (!text.startsWith(PREFIX) || end < 0 || text.length() > TEXT_MAX_CHARS) {
            return null;
        }
        UserEntry user = user(text.substring(PREFIX.length(), end));
        if (user == null) {
            return null;
        }
        byte[] digest = digest(text).getBytes(StandardCharsets.US_ASCII);
        long now = Micros.now(clock);
        for (TokenEntry token : user.tokens().values()) {
            if (MessageDigest.isEqual(digest, token.sha256Hex().getBytes(StandardCharsets.US_ASCII))) {
                return isExpired(token, now) ? null : new Owner(user, token);
            }
        }
        return null;
    }

    private @Nullable UserEntry user(String id) {
        try {
            return catalog.state().users().get(Integer.parseInt(id));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A full list loses its expired tokens first. */
    private void makeRoom(int userId, long now) {
        List<TokenEntry> tokens = list(userId);
        if (tokens.size() >= Limits.TOKENS_PER_USER_MAX) {
            tokens.stream().filter(t -> isExpired(t, now)).forEach(t -> delete(userId, t.name()));
        }
    }

    private static boolean isExpired(TokenEntry token, long now) {
        return token.expiryAtMicros() >= 0 && now >= token.expiryAtMicros();
    }

    private static long expiryAt(long now, long expiryMicros) {
        if (expiryMicros == 0 || expiryMicros == -1) {
            return -1;
        }
        if (expiryMicros < 0 || now + expiryMicros < 0) {
            throw new KeptlogException(
                    ErrorCode.INVALID_PERSONAL_ACCESS_TOKEN_EXPIRY,
                    "'expiry' is a life in microseconds; use 18446744073709551615 for never.",
                    "expiry");
        }
        return now + expiryMicros;
    }

    private static UserEntry require(CatalogState state, int userId) {
        UserEntry user = state.users().get(userId);
        if (user == null) {
            throw new KeptlogException(ErrorCode.USER_NOT_FOUND, "This user does not exist.", "user_id");
        }
        return user;
    }

    private static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
