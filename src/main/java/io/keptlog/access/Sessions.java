// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.UserService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;

/**
 * JWTs of users: made, verified, refreshed, revoked (http-api §6). Safe for any number of threads. A verified signature is remembered;
 * what can change (expiry, revocation, the user's state) is looked at for each request, so an ended session is refused at once.
 * Revocations are on stable storage before logout answers. A session carries the generation of its user: a change of password or
 * status begins a new one, and only the session that changed the password goes on.
 */
public final class Sessions {
    private static final String GENERATION = "gen";

    private final UserService users;
    private final InstantSource clock;
    private final JwtEncoder encoder;
    private final JwtDecoder decoder;
    private final Cache<String, Verified> verified = Caffeine.newBuilder()
            .maximumSize(Limits.SESSIONS_CACHED_MAX)
            .expireAfterWrite(Duration.ofSeconds(Limits.SESSION_SECONDS))
            // Its housekeeping is short; handing it to another thread costs each request more.
            .executor(Runnable::run)
            .build();

    public Sessions(SigningKey key, UserService users, InstantSource clock) {
        this.users = users;
        this.clock = clock;
        this.encoder = NimbusJwtEncoder.withSecretKey(key.key())
                .algorithm(MacAlgorithm.HS256)
                .build();
        NimbusJwtDecoder hs256 = NimbusJwtDecoder.withSecretKey(key.key())
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
        // Time is checked here for every request, without leeway.
        hs256.setJwtValidator(jwt -> OAuth2TokenValidatorResult.success());
        this.decoder = hs256;
    }

    private record Verified(int userId, Caller.Session session) {}

    /**
     * A new token.
     *
     * @param expirySeconds unix time
     */
    public record Issued(int userId, String token, long expirySeconds) {
        @Override
        public String toString() {
            return "Issued[" + userId + "]";
        }
    }

    public Issued issue(UserEntry user) {
        Instant now = clock.instant();
        long expirySeconds = now.getEpochSecond() + Limits.SESSION_SECONDS;
        JwtClaimsSet claims = JwtClaimsSet.builder()
                .id(UUID.randomUUID().toString())
                .subject(Integer.toString(user.id()))
                .issuedAt(now)
                .expiresAt(Instant.ofEpochSecond(expirySeconds))
                .claim(GENERATION, user.generation())
                .build();
        JwsHeader header = JwsHeader.with(MacAlgorithm.HS256).type("JWT").build();
        String token = encoder.encode(JwtEncoderParameters.from(header, claims)).getTokenValue();
        return new Issued(user.id(), token, expirySeconds);
    }

    /**
     * @throws KeptlogException UNAUTHENTICATED
     */
    public Caller verify(String token) {
        Verified known = verified.getIfPresent(token);
        if (known == null) {
            known = decode(token);
            verified.put(token, known);
        }
        Caller.Session session = known.session();
        UserEntry user = users.find(known.userId());
        if (session.expirySeconds() <= clock.instant().getEpochSecond() || users.isRevoked(session.jwtId())) {
            throw refused("This access token has expired or was logged out.");
        }
        if (user == null || !user.active() || !isOf(session, user)) {
            throw refused("This access token has ended: its user or the user's password has changed.");
        }
        return Caller.of(user, session);
    }

    /** A new token for a valid one, which ends. */
    public Issued refresh(String token) {
        Caller caller = verify(token);
        UserEntry user = users.find(caller.userId());
        if (user == null) {
            throw refused("The user of this access token no longer exists.");
        }
        Issued next = issue(user);
        revoke(caller);
        return next;
    }

    /** Ends the session of the caller, if it has one. */
    public void revoke(Caller caller) {
        if (caller.session() != null) {
            users.revokeSession(caller.session().jwtId(), caller.session().expirySeconds());
        }
    }

    /** A session that changed its own user's password goes on, across restarts. */
    private static boolean isOf(Caller.Session session, UserEntry user) {
        return session.generation() == user.generation() || session.jwtId().equals(user.keptSession());
    }

    private Verified decode(String token) {
        try {
            Jwt jwt = decoder.decode(token);
            Instant expiry = jwt.getExpiresAt();
            if (jwt.getId() == null
                    || jwt.getSubject() == null
                    || expiry == null
                    || !(jwt.getClaims().get(GENERATION) instanceof Number generation)) {
                throw refused("This is not an access token of this server.");
            }
            return new Verified(
                    Integer.parseInt(jwt.getSubject()),
                    new Caller.Session(jwt.getId(), expiry.getEpochSecond(), generation.intValue()));
        } catch (JwtException | NumberFormatException e) {
            throw refused("This is not a valid access token.");
        }
    }

    private static KeptlogException refused(String reason) {
        return new KeptlogException(ErrorCode.UNAUTHENTICATED, reason);
    }
}
