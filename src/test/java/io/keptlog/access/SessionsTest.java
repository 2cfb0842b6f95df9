// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.PasswordHashing;
import io.keptlog.service.UserService;
import io.keptlog.storage.InMemoryCatalog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a session ends and when it goes on; a second {@link Sessions} over the same catalog is the server after a restart. */
class SessionsTest {
    private static final PasswordHashing NO_HASHING = new PasswordHashing() {
        @Override
        public String hash(String password) {
            return password;
        }

        @Override
        public boolean matches(String password, String hash) {
            return password.equals(hash);
        }
    };

    @TempDir
    Path directory;

    private Instant now = Instant.parse("2026-11-30T10:00:00Z");
    private final InMemoryCatalog catalog = new InMemoryCatalog();
    private final UserService users = new UserService(catalog, NO_HASHING, () -> now);
    private Sessions sessions;
    private int userId;

    @BeforeEach
    void aUser() {
        users.createRoot("root", "word");
        userId = users.create("somebody", "word", true, null).id();
        sessions = restarted();
    }

    private Sessions restarted() {
        return new Sessions(SigningKey.load(directory), new UserService(catalog, NO_HASHING, () -> now), () -> now);
    }

    private UserEntry user() {
        UserEntry user = users.find(userId);
        assertThat(user).isNotNull();
        return user;
    }

    private String login() {
        return sessions.issue(user()).token();
    }

    private void changePassword(String token, String from, String to) {
        Caller.Session session = sessions.verify(token).session();
        assertThat(session).isNotNull();
        users.changePassword(userId, from, to, session.jwtId());
    }

    private void requireEnded(Sessions sessions, String token) {
        assertThatThrownBy(() -> sessions.verify(token))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }

    @Test
    void theSessionThatChangedThePasswordGoesOnAlsoAfterARestartAndTheOthersEnd() {
        String changing = login();
        String other = login();
        changePassword(changing, "word", "second");
        for (Sessions each : new Sessions[] {sessions, restarted()}) {
            assertThat(each.verify(changing).userId()).isEqualTo(userId);
            requireEnded(each, other);
        }
        changePassword(changing, "second", "third");
        assertThat(restarted().verify(changing).userId()).isEqualTo(userId);
    }

    @Test
    void onlyTheLastSessionThatChangedThePasswordGoesOn() {
        String first = login();
        changePassword(first, "word", "second");
        String second = login();
        changePassword(second, "second", "third");
        requireEnded(sessions, first);
        assertThat(sessions.verify(second).userId()).isEqualTo(userId);
    }

    @Test
    void aChangeWithoutASessionEndsAllOfThem() {
        String session = login();
        users.changePassword(userId, "word", "second", null);
        requireEnded(sessions, session);
        String next = login();
        users.resetPassword(userId, "third");
        requireEnded(sessions, next);
    }

    @Test
    void aUserWhoBecomesInactiveLosesTheKeptSessionForGood() {
        String changing = login();
        changePassword(changing, "word", "second");
        users.update(userId, null, false);
        requireEnded(sessions, changing);
        users.update(userId, null, true);
        requireEnded(sessions, changing);
        requireEnded(restarted(), changing);
    }

    @Test
    void logoutIsKnownAfterARestart() {
        String token = login();
        sessions.revoke(sessions.verify(token));
        requireEnded(sessions, token);
        requireEnded(restarted(), token);
    }

    @Test
    void aRefreshedTokenReplacesTheFormer() {
        String token = login();
        String next = sessions.refresh(token).token();
        requireEnded(sessions, token);
        assertThat(sessions.verify(next).userId()).isEqualTo(userId);
    }

    @Test
    void aTokenEndsAfterItsHourToTheSecond() {
        String token = login();
        now = now.plus(Duration.ofSeconds(Limits.SESSION_SECONDS - 1));
        assertThat(sessions.verify(token).userId()).isEqualTo(userId);
        now = now.plusSeconds(1);
        requireEnded(sessions, token);
    }

    @Test
    void whatThisServerDidNotSignIsNoToken() {
        String token = login();
        String[] parts = token.split("\\.");
        // {"alg":"none"}
        for (String bad : new String[] {
            "", "x", "a.b.c", parts[0] + "." + parts[1] + ".", "eyJhbGciOiJub25lIn0." + parts[1] + ".", token + "x"
        }) {
            requireEnded(sessions, bad);
        }
    }

    @Test
    void aDeletedUserHasNoSession() {
        String token = login();
        users.delete(userId);
        requireEnded(sessions, token);
    }
}
