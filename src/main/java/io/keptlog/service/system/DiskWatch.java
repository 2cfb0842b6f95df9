// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import io.keptlog.domain.Limits;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.DiskTruth.Verdict;
import io.keptlog.domain.disk.Doubt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what was last seen of the disk (requirements D7). Looked at when it is made, on a thread of its own, so that a start need not wait
 * for a slow disk; and again when somebody asks and it is older than a minute: one look at a time, the others get the one before. Any
 * thread.
 */
public final class DiskWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(Limits.TRUTH_TEST_EVERY_SECONDS);

    private final @Nullable Supplier<DiskTruth> test;
    private final InstantSource clock;
    private final ReentrantLock looking = new ReentrantLock();
    private final CountDownLatch first = new CountDownLatch(1);
    private volatile @Nullable DiskTruth last;

    /** @param test empty where this server keeps nothing on a disk of its own */
    public DiskWatch(Optional<Supplier<DiskTruth>> test, InstantSource clock, ThreadFactory threads) {
        this.test = test.orElse(null);
        this.clock = clock;
        if (this.test == null) {
            first.countDown();
        } else {
            threads.newThread(this::lookFirst).start();
        }
    }

    private void lookFirst() {
        try {
            look();
            DiskTruth seen = last;
            if (seen != null) {
                warn(seen);
            }
        } finally {
            first.countDown();
        }
    }

    private void look() {
        looking.lock();
        try {
            last = java.util.Objects.requireNonNull(test).get();
        } finally {
            looking.unlock();
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

    /** Returns when the first look is done, or after this time. An interrupt ends the wait and stays set. */
    public void awaitFirst(Duration atMost) {
        try {
            boolean unused = first.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was seen last; empty where there is no disk, and while the first look is not done. */
    public Optional<DiskTruth> last() {
        return Optional.ofNullable(last);
    }

    /** At most a minute old, or what was seen before while somebody else looks. */
    public Optional<DiskTruth> fresh() {
        awaitFirst(Duration.ofMillis(Limits.TRUTH_TEST_WAIT_MILLIS));
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
