// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What this broker has, opens, or is about to let go, by the name of its managed ledger; one of the three at a time. Until a partition has
 * left, nobody here may take it again: the lock is still this broker's, and who took it then would lose it without being told, or be given the
 * library's ledger that is being closed. Thread-safe.
 */
final class OwnedPartitions {
    private final Map<String, CompletableFuture<Owned>> byName = new ConcurrentHashMap<>();

    /** An opening, or what it gave; who is leaving is a failure with NOT_PRIMARY. */
    @Nullable
    CompletableFuture<Owned> get(String name) {
        return byName.get(name);
    }

    /** What is open; null while it is being opened or leaves. */
    @Nullable
    Owned held(String name) {
        CompletableFuture<Owned> now = byName.get(name);
        return now != null && isOpen(now) ? now.join() : null;
    }

    boolean holds(String name) {
        return byName.containsKey(name);
    }

    /** @return the one that was first, or null: it is this one */
    @Nullable
    CompletableFuture<Owned> putIfAbsent(String name, CompletableFuture<Owned> opening) {
        return byName.putIfAbsent(name, opening);
    }

    void remove(String name, CompletableFuture<Owned> opening) {
        byName.remove(name, opening);
    }

    /** Does the last thing for a partition, once; nothing when it has left, or is on its way. */
    void leave(String name, Owned held, Runnable last, Executor executor) {
        CompletableFuture<Owned> now = byName.get(name);
        if (now == null || !isOpen(now) || now.join() != held) {
            return;
        }
        CompletableFuture<Owned> leaving = leaving();
        if (byName.replace(name, now, leaving)) {
            executor.execute(() -> finish(name, leaving, last));
        }
    }

    /** All are closed, also what is being opened now: it was begun under a lock that is gone. */
    void leaveAll(Executor executor) {
        byName.forEach((name, opening) -> {
            CompletableFuture<Owned> leaving = leaving();
            if (!opening.isCompletedExceptionally() && byName.replace(name, opening, leaving)) {
                var ignored = opening.whenCompleteAsync(
                        (lost, e) -> finish(name, leaving, lost == null ? () -> {} : lost::close), executor);
            }
        });
    }

    private static CompletableFuture<Owned> leaving() {
        return CompletableFuture.failedFuture(Ownership.notPrimary());
    }

    private void finish(String name, CompletableFuture<Owned> leaving, Runnable last) {
        try {
            last.run();
        } finally {
            byName.remove(name, leaving);
        }
    }

    private static boolean isOpen(CompletableFuture<Owned> one) {
        return one.isDone() && !one.isCompletedExceptionally();
    }

    List<Owned> open() {
        var open = new ArrayList<Owned>();
        for (CompletableFuture<Owned> one : byName.values()) {
            if (isOpen(one)) {
                open.add(one.join());
            }
        }
        return open;
    }
}
