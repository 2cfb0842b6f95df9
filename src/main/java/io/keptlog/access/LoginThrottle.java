// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slows guessing down: counts failed logins per name and address, and per address. Good logins are never counted. Safe for any number of
 * threads; a restart forgets all counts; memory is bounded.
 */
final class LoginThrottle {
    private static final Duration WINDOW = Duration.ofSeconds(Limits.LOGIN_WINDOW_SECONDS);

    private final InstantSource clock;
    private final Cache<String, Failures> failures = Caffeine.newBuilder()
            .maximumSize(Limits.LOGIN_FAILURES_TRACKED_MAX)
            .expireAfterWrite(WINDOW)
            .build();

    LoginThrottle(InstantSource clock) {
        this.clock = clock;
    }

    private record Failures(int count, long firstAtMillis) {}

    /**
     * @throws KeptlogException TOO_MANY_LOGIN_ATTEMPTS with the time to wait
     */
    void check(String username, String address) {
        String network = network(address);
        check(failures.getIfPresent(key(username, network)), Limits.LOGIN_FAILURES_MAX);
        check(failures.getIfPresent(network), Limits.LOGIN_FAILURES_PER_ADDRESS_MAX);
    }

    private void check(@Nullable Failures counted, int max) {
        if (counted == null || counted.count() < max) {
            return;
        }
        long leftMillis = counted.firstAtMillis() + WINDOW.toMillis() - clock.millis();
        if (leftMillis > 0) {
            throw KeptlogException.retryable(
                    ErrorCode.TOO_MANY_LOGIN_ATTEMPTS, "Too many failed logins; try again later.", (int)
                            Math.ceilDiv(leftMillis, 1000L));
        }
    }

    void failed(String username, String address) {
        String network = network(address);
        count(key(username, network));
        count(network);
    }

    private void count(String key) {
        long now = clock.millis();
        failures.asMap()
                .compute(
                        key,
                        (k, old) -> old == null || now - old.firstAtMillis() >= WINDOW.toMillis()
                                ? new Failures(1, now)
                                : new Failures(old.count() + 1, old.firstAtMillis()));
    }

    void succeeded(String username, String address) {
        failures.invalidate(key(username, network(address)));
    }

    private static String key(String username, String network) {
        return network + ' ' + username;
    }

    /** One subscriber of IPv6 has a network of 2^64 addresses: it counts as one. */
    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        byte[] bytes = InetAddress.ofLiteral(address).getAddress();
        return bytes.length == 4 ? address : Arrays.toString(Arrays.copyOf(bytes, 8));
    }
}
