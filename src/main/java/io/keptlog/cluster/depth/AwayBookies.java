// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Since when bookies that should have copies are away, as far as this process has seen. One thread. */
final class AwayBookies {
    private final long goneNanos;
    private final Map<String, Long> awaySince = new HashMap<>();
    private Set<String> alive = Set.of();

    AwayBookies(Duration goneAfter) {
        this.goneNanos = goneAfter.toNanos();
    }

    void now(Set<String> nowAlive) {
        alive = nowAlive;
        awaySince.keySet().removeAll(nowAlive);
    }

    /** Away for so long that it is not waited for any more. */
    boolean gone(String bookie) {
        if (alive.contains(bookie)) {
            return false;
        }
        long since = awaySince.computeIfAbsent(bookie, b -> System.nanoTime());
        return System.nanoTime() - since >= goneNanos;
    }
}
