// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import io.keptlog.storage.file.FaultyFiles.Call;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Fails the first to the last of the matching calls, counted from 1.
 *
 * @param writtenBytes what a failing write still writes
 */
record FaultRule(
        Call call,
        Predicate<Path> path,
        int first,
        int last,
        Supplier<? extends Throwable> failure,
        long writtenBytes,
        AtomicInteger seen) {
    FaultRule(
            Call call,
            Predicate<Path> path,
            int first,
            int last,
            Supplier<? extends Throwable> failure,
            long writtenBytes) {
        this(call, path, first, last, failure, writtenBytes, new AtomicInteger());
    }

    /** Counts the call when it matches. */
    boolean hits(Call made, Path file) {
        if (made != call || !path.test(file)) {
            return false;
        }
        int n = seen.incrementAndGet();
        return n >= first && n <= last;
    }
}
