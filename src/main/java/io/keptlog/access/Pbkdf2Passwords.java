// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.service.PasswordHashing;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;

/**
 * PBKDF2 as Spring Security recommends it: any length of password counts (bcrypt stops at 72 bytes). At most half of the cores hash at
 * the same time, so that a flood of logins leaves the other half to the log.
 */
public final class Pbkdf2Passwords implements PasswordHashing {
    /** Salt and hash as the encoder writes them. */
    private static final int ENCODED_BYTES = 16 + 32;

    private final PasswordEncoder encoder = Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8();
    private final Semaphore turns =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    @Override
    public String hash(String password) {
        String hash = inTurn(() -> encoder.encode(password));
        if (hash == null) {
            throw new IllegalStateException("no hash");
        }
        return hash;
    }

    @Override
    public boolean matches(String password, String hash) {
        return inTurn(() -> encoder.matches(password, hash));
    }

    /** Random bytes: making them costs nothing at the start, and comparing hashes as for any other. */
    @Override
    public String decoy() {
        byte[] encoded = new byte[ENCODED_BYTES];
        new SecureRandom().nextBytes(encoded);
        return HexFormat.of().formatHex(encoded);
    }

    /**
     * @throws KeptlogException SERVER_BUSY when no turn came in time
     */
    private <T> T inTurn(Supplier<T> work) {
        boolean mine = false;
        try {
            mine = turns.tryAcquire(Limits.PASSWORD_HASH_WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (!mine) {
                throw KeptlogException.retryable(
                        ErrorCode.SERVER_BUSY, "Too many logins are being checked right now.", 1);
            }
            return work.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KeptlogException.retryable(ErrorCode.SHUTTING_DOWN, "The server is shutting down.", 1);
        } finally {
            if (mine) {
                turns.release();
            }
        }
    }
}
