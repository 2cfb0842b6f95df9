// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import io.keptlog.domain.Limits;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.DiskTruth.Verdict;
import io.keptlog.domain.disk.Doubt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what was last seen of the disk (requirements D7). Looked at when it is made, and again when somebody asks and it is older than a
 * minute: one look at a time, the others get the one before. Any thread.
 */
public final class DiskWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(Limits.TRUTH_TEST_EVERY_SECONDS);

    private final @Nullable Supplier<DiskTruth> test;
    private final InstantSource clock;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile @Nullable DiskTruth last;

    /** @param test empty where this server keeps nothing on a disk of its own */
    public DiskWatch(Optional<Supplier<DiskTruth>> test, InstantSource clock) {
        this.test = test.orElse(null);
        this.clock = clock;
        if (this.test != null) {
            last = this.test.get();
            warn(last);
        }
    }

    private static void warn(DiskTruth truth) {
        for (Doubt doubt : truth.doubts()) {
            LOG.warn("The disk below the data directory: {}", doubt.reason());
        }
        if (truth.verdict() != Verdict.PLAUSIBLE) {
            LOG.warn("What is acknowledged as persisted is only as durable as this disk; GET /durability shows it");
        }
    }

    /** What was seen last; empty where there is no disk. */
    public Optional<DiskTruth> last() {
        return Optional.ofNullable(last);
    }

    /** At most a minute old, or what was seen before while somebody else looks. */
    public Optional<DiskTruth> fresh() {
        DiskTruth seen = last;
        if (test != null
                && seen != null
                && Duration.between(seen.time(), clock.instant()).compareTo(EVERY) > 0
                && looking.tryLock()) {
            try {
                last = test.get();
            } finally {
                looking.unlock();
            }
        }
        return last();
    }
}
