// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.domain.Limits;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.KeptDepth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is known of one partition's copies. Changed by the keeper's thread; what was published is read by any. */
final class PartitionCopies {
    final TreeMap<Long, LedgerCopies> ledgers = new TreeMap<>();
    /** Why copies could not be completed in the present round. */
    final Set<String> failures = new LinkedHashSet<>();
    /** Lost ranges that a report was made of, by their first offset. */
    final Set<Long> reportedLost = new HashSet<>();
    /** Of these, those whose report was kept; the others are tried again. */
    final Set<Long> keptLost = new HashSet<>();

    long written;
    private long nextEndNanos = System.nanoTime();
    private long endWaitMillis;
    private List<String> told = List.of();
    private volatile KeptDepth kept = KeptDepth.NOTHING;

    KeptDepth kept() {
        return kept;
    }

    /** @return whether there is something to tell that was not told before */
    boolean publish(boolean guaranteed, @Nullable Instant finished) {
        DepthCounts counts = DepthCounts.NONE;
        var ranges = new ArrayList<DepthRange>();
        for (LedgerCopies ledger : ledgers.values()) {
            counts = counts.plus(ledger.counts());
            if (ranges.size() < Limits.DEPTH_KEPT_RANGES_MAX) {
                ranges.addAll(ledger.bad());
            }
        }
        kept = new KeptDepth(
                guaranteed,
                counts,
                ranges,
                List.copyOf(failures),
                written,
                finished == null ? kept.lookedAt() : finished);
        boolean news = !kept.failures().isEmpty() && !kept.failures().equals(told);
        told = kept.failures();
        return news;
    }

    /** Whether the ledger in use may be ended now; each time it is, the next time is further away. */
    boolean mayEndLedger() {
        if (System.nanoTime() - nextEndNanos < 0) {
            return false;
        }
        endWaitMillis =
                Math.clamp(endWaitMillis * 2, Limits.DEPTH_AGAIN_MIN_MILLIS, 10L * Limits.DEPTH_AGAIN_MAX_MILLIS);
        nextEndNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(endWaitMillis);
        return true;
    }

    /** All is well: the next time something is missing, it is acted on at once. */
    void well() {
        endWaitMillis = 0;
    }
}
