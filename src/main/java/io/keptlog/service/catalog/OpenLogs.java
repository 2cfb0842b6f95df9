// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.PartitionLogs;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the open log of a partition's present life. The catalog shows a new life a moment before its log is open: who comes in that
 * moment waits for it, at most until its deadline, and never meets the log of the former life. Safe for any number of threads; finding
 * an open log is one map look-up. Nothing to lose in a crash.
 */
public final class OpenLogs {
    private static final int RETRY_SECONDS = 1;

    private final PartitionLogs logs;
    /** By incarnation: lives that are being made. As many as the running create and purge requests have partitions. */
    private final ConcurrentMap<Long, CountDownLatch> beingOpened = new ConcurrentHashMap<>();

    public OpenLogs(PartitionLogs logs) {
        this.logs = logs;
    }

    /**
     * @param late what to answer when the log is still being made at the deadline
     * @return the log, or null when this life is gone or could not be opened
     * @throws KeptlogException with the code {@code late}: nothing changed
     */
    public @Nullable PartitionLog find(PartitionSpec spec, Deadline deadline, ErrorCode late) {
        PartitionLog log = findNow(spec);
        if (log != null) {
            return log;
        }
        CountDownLatch opening = beingOpened.get(spec.incarnation());
        if (opening != null && !awaitOpened(opening, deadline)) {
            throw KeptlogException.retryable(
                    late, "Partition " + spec.ref().partitionId() + " is still being made.", RETRY_SECONDS);
        }
        return findNow(spec);
    }

    /** As {@link #find}, without waiting. */
    public @Nullable PartitionLog findNow(PartitionSpec spec) {
        PartitionLog log = logs.find(spec.ref());
        return log != null && log.spec().incarnation() == spec.incarnation() ? log : null;
    }

    /** How a partition stands; null when its log is not there, or is damaged so that it cannot be opened at all. */
    public @Nullable LogStatus statusNow(PartitionSpec spec) {
        PartitionLog log = findNow(spec);
        try {
            return log == null ? null : log.status();
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.PARTITION_DAMAGED) {
                throw e;
            }
            return null;
        }
    }

    void announce(List<PartitionSpec> specs) {
        specs.forEach(s -> beingOpened.putIfAbsent(s.incarnation(), new CountDownLatch(1)));
    }

    /** Opened or given up: nobody waits for these any longer. */
    void settled(List<PartitionSpec> specs) {
        for (PartitionSpec spec : specs) {
            CountDownLatch opening = beingOpened.remove(spec.incarnation());
            if (opening != null) {
                opening.countDown();
            }
        }
    }

    private static boolean awaitOpened(CountDownLatch opening, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (!deadline.passed()) {
                try {
                    if (opening.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return opening.getCount() == 0;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
