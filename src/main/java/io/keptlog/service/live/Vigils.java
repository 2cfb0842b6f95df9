// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.live;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Everybody who waits for messages at this server: admits them, counts them, and wakes all of them when the server stops. Any thread.
 * Nothing to lose in a crash. What it refuses, it refuses before anything has begun: SERVER_BUSY, TOO_MANY_LIVE_READERS, SHUTTING_DOWN.
 */
public final class Vigils {
    private static final int RETRY_SECONDS = 5;

    private final LiveLimits limits;
    private final Set<Vigil> vigils = ConcurrentHashMap.newKeySet();
    private final AtomicInteger readers = new AtomicInteger();
    private final Map<Integer, Integer> byUser = new ConcurrentHashMap<>();
    private volatile boolean stopping;

    public Vigils(LiveLimits limits) {
        this.limits = limits;
    }

    /**
     * A new reader. Whoever began it closes it.
     *
     * @throws KeptlogException SERVER_BUSY, TOO_MANY_LIVE_READERS, SHUTTING_DOWN: there is none
     */
    public Vigil begin(int userId) {
        if (readers.incrementAndGet() > limits.readers()) {
            readers.decrementAndGet();
            throw KeptlogException.retryable(
                    ErrorCode.SERVER_BUSY, "The server has as many live readers as it can hold.", RETRY_SECONDS);
        }
        int ofUser = byUser.merge(userId, 1, Integer::sum);
        if (ofUser > limits.readersPerUser()) {
            left(userId);
            throw KeptlogException.retryable(
                    ErrorCode.TOO_MANY_LIVE_READERS,
                    "This user has as many live readers as one user may have.",
                    RETRY_SECONDS);
        }
        var vigil = new Vigil(this, userId);
        vigils.add(vigil);
        if (stopping) {
            vigil.close();
            throw stopped();
        }
        return vigil;
    }

    void ended(Vigil vigil, int userId) {
        if (vigils.remove(vigil)) {
            left(userId);
        }
    }

    private void left(int userId) {
        byUser.computeIfPresent(userId, (id, count) -> count == 1 ? null : count - 1);
        readers.decrementAndGet();
    }

    public int count() {
        return readers.get();
    }

    boolean isStopping() {
        return stopping;
    }

    /** What a reader is told that a stop overtakes. */
    public static KeptlogException stopped() {
        return KeptlogException.retryable(ErrorCode.SHUTTING_DOWN, "The server is shutting down.", 1);
    }

    /** Admits nobody any more, and wakes everybody; they end by themselves. */
    public void stop() {
        stopping = true;
        vigils.forEach(Vigil::wake);
    }
}
