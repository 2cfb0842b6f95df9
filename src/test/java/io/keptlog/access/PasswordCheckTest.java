// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.service.PasswordHashing;
import io.keptlog.service.UserService;
import io.keptlog.storage.InMemoryCatalog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PasswordCheckTest {
    private static final int THREADS = 8;

    private final AtomicInteger hashed = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);

    private final PasswordHashing hashing = new PasswordHashing() {
        @Override
        public String hash(String password) {
            return "hash of " + password;
        }

        @Override
        public boolean matches(String password, String hash) {
            hashed.incrementAndGet();
            try {
                if (!released.await(30, TimeUnit.SECONDS)) {
                    throw new AssertionError("never released");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return hash.equals(hash(password));
        }
    };

    private final UserService users = new UserService(new InMemoryCatalog(), hashing, InstantSource.system());
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final PasswordCheck check = new PasswordCheck(users, hashing, now::get);

    private List<Future<String>> sideBySide(String password) throws InterruptedException {
        users.createRoot("iggy", "secret");
        Callable<String> one = () -> {
            try {
                return check.check("iggy", password, "127.0.0.1").username();
            } catch (KeptlogException e) {
                return e.code().code();
            }
        };
        var entered = new CountDownLatch(THREADS);
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int t = 0; t < THREADS; t++) {
                answers.add(threads.submit(() -> {
                    entered.countDown();
                    return one.call();
                }));
            }
            assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
            released.countDown();
        }
        return answers;
    }

    @Test
    void manyConnectionsWithTheSamePasswordCostOneHash() throws Exception {
        for (Future<String> answer : sideBySide("secret")) {
            assertThat(answer.get()).isEqualTo("iggy");
        }
        assertThat(hashed).hasValue(1);
        assertThat(check.check("iggy", "secret", "127.0.0.1").id()).isZero();
        assertThat(hashed).as("it is remembered").hasValue(1);
    }

    @Test
    void aWrongPasswordIsWrongForAllOfThem() throws Exception {
        for (Future<String> answer : sideBySide("wrong")) {
            assertThat(answer.get()).isEqualTo(ErrorCode.INVALID_CREDENTIALS.code());
        }
    }

    @Test
    void aChangedPasswordEndsWhatIsRemembered() {
        released.countDown();
        users.createRoot("iggy", "secret");
        assertThat(check.check("iggy", "secret", "127.0.0.1").id()).isZero();
        users.changePassword(0, "secret", "other", null);
        assertThatThrownBy(() -> check.check("iggy", "secret", "127.0.0.1")).isInstanceOf(KeptlogException.class);
        assertThat(check.check("iggy", "other", "127.0.0.1").id()).isZero();
    }

    @Test
    void aPasswordThatIsUsedAllTheTimeIsNeverHashedAgainAndOneThatIsNotIsForgotten() {
        released.countDown();
        users.createRoot("iggy", "secret");
        for (int i = 0; i < 10; i++) {
            assertThat(check.check("iggy", "secret", "127.0.0.1").id()).isZero();
            now.updateAndGet(t -> t.plusSeconds(Limits.PASSWORD_CHECK_CACHED_SECONDS - 1));
        }
        assertThat(hashed).hasValue(1);
        now.updateAndGet(t -> t.plusSeconds(2));
        assertThat(check.check("iggy", "secret", "127.0.0.1").id()).isZero();
        assertThat(hashed).hasValue(2);
    }
}
