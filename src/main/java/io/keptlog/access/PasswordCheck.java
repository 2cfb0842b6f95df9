// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.PasswordHashing;
import io.keptlog.service.UserService;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Checks a name with its password. A good check is remembered, until five minutes after it was last asked for, under a keyed hash (the key lives
 * and dies with the process), together with the stored hash it was made against, so that a changed password or status ends it at once. Failures are
 * throttled. The same password of the same user is checked once at a time: whoever comes meanwhile takes that answer, so that the many
 * connections of one client cost one hash when they come back. Safe for any number of threads; keeps no password.
 */
public final class PasswordCheck {
    private static final int KEY_BYTES = 32;

    private final UserService users;
    private final PasswordHashing hashing;
    private final LoginThrottle throttle;
    private final SecretKeySpec key;
    /** What an unknown name is compared with, so that it takes as long as a known one. */
    private final String decoy;

    private final Cache<String, Known> known;

    public PasswordCheck(UserService users, PasswordHashing hashing, InstantSource clock) {
        this.users = users;
        this.hashing = hashing;
        this.throttle = new LoginThrottle(clock);
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, "HmacSHA256");
        this.decoy = hashing.decoy();
        this.known = Caffeine.newBuilder()
                .maximumSize(Limits.PASSWORD_CHECKS_CACHED_MAX)
                .expireAfterAccess(Duration.ofSeconds(Limits.PASSWORD_CHECK_CACHED_SECONDS))
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .executor(Runnable::run)
                .build();
    }

    private final ConcurrentMap<Question, CompletableFuture<Boolean>> running = new ConcurrentHashMap<>();

    private record Known(int userId, String passwordHash) {}

    /** Whether the password with this digest has this hash. */
    private record Question(String digest, String passwordHash) {}

    /**
     * The active user with this name and password.
     *
     * @param address of the client, as the connection shows it
     * @throws KeptlogException INVALID_CREDENTIALS; TOO_MANY_LOGIN_ATTEMPTS whatever the password
     */
    public UserEntry check(String username, String password, String address) {
        throttle.check(username, address);
        UserEntry user = users.findByName(username);
        String digest = digest(username, password);
        if (user != null && user.active() && isKnown(user, digest)) {
            return user;
        }
        boolean matches = isPlausible(password) && matches(password, digest, user);
        // Guesses that ran side by side must not learn more than those that came one by one.
        throttle.check(username, address);
        if (user == null || !user.active() || !matches) {
            throttle.failed(username, address);
            AuditLog.loginFailed(username, address);
            throw new KeptlogException(ErrorCode.INVALID_CREDENTIALS, "The user name or the password is wrong.");
        }
        throttle.succeeded(username, address);
        return user;
    }

    private boolean matches(String password, String digest, @Nullable UserEntry user) {
        var question = new Question(digest, user == null ? decoy : user.passwordHash());
        var mine = new CompletableFuture<Boolean>();
        CompletableFuture<Boolean> other = running.putIfAbsent(question, mine);
        if (other != null) {
            return answerOf(other);
        }
        try {
            boolean matches = hashing.matches(password, question.passwordHash());
            if (matches && user != null) {
                // Before the question is forgotten, so that nobody asks it again.
                known.put(digest, new Known(user.id(), user.passwordHash()));
            }
            mine.complete(matches);
            return matches;
        } finally {
            running.remove(question, mine);
            mine.cancel(false);
        }
    }

    /** What another thread finds out about the same question. */
    private static boolean answerOf(CompletableFuture<Boolean> other) {
        try {
            return other.get(2L * Limits.PASSWORD_HASH_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KeptlogException.retryable(ErrorCode.SHUTTING_DOWN, "The server is shutting down.", 1);
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            throw KeptlogException.retryable(ErrorCode.SERVER_BUSY, "Too many logins are being checked right now.", 1);
        }
    }

    private boolean isKnown(UserEntry user, String digest) {
        @Nullable Known hit = known.getIfPresent(digest);
        return hit != null && hit.userId() == user.id() && hit.passwordHash().equals(user.passwordHash());
    }

    private static boolean isPlausible(String password) {
        return password.length() <= Limits.PASSWORD_MAX_BYTES;
    }

    private String digest(String username, String password) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(username.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return HexFormat.of().formatHex(mac.doFinal(password.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has HmacSHA256", e);
        }
    }
}
