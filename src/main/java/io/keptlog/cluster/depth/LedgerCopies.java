// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Limits;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one ledger's copies, so that nothing is asked for twice without a reason: a closed ledger that was found whole is asked for again
 * only when one of its bookies is away, another one when it has new entries, when bookies come or go, and after a while. One thread.
 */
final class LedgerCopies {
    /** Everything before it was full. */
    private long from;

    private long fullMessages;
    private DepthCounts counts = DepthCounts.NONE;
    private List<DepthRange> bad = List.of();
    private Set<String> bookies = Set.of();
    private Set<String> alive = Set.of();
    private Set<String> missing = Set.of();
    private boolean looked;
    private boolean open = true;
    /** Its messages when it was found whole; still there when bookies that were away are back. */
    private long wholeMessages = -1;

    private long againNanos;
    private long waitMillis;
    private @Nullable Scan scan;

    /** A look under way, over several turns. */
    private static final class Scan {
        long at;
        long leadingFull;
        long firstBad = -1;
        DepthCounts rest = DepthCounts.NONE;
        final List<DepthRange> bad = new ArrayList<>();

        Scan(long at) {
            this.at = at;
        }

        void add(DepthReport report) {
            for (DepthRange range : report.ranges()) {
                boolean full = range.depth() == DepthRange.Depth.FULL;
                if (full && firstBad < 0) {
                    leadingFull += range.messages();
                    continue;
                }
                firstBad = firstBad < 0 ? range.firstEntry() : firstBad;
                rest = rest.plus(DepthCounts.of(range));
                if (!full && bad.size() < Limits.DEPTH_KEPT_RANGES_MAX) {
                    bad.add(range);
                }
            }
            at += report.entries();
        }
    }

    DepthCounts counts() {
        return counts;
    }

    List<DepthRange> bad() {
        return bad;
    }

    /** Told before {@link #due}: which bookies are there now. */
    void bookiesNow(Set<String> nowAlive) {
        alive = nowAlive;
        Set<String> away = away();
        if (away.equals(missing)) {
            return;
        }
        if (!missing.containsAll(away)) {
            // What was found full may not be any more.
            from = 0;
            fullMessages = 0;
        }
        scan = null;
        missing = away;
        againNanos = System.nanoTime();
        waitMillis = 0;
        if (away.isEmpty() && wholeMessages >= 0) {
            whole(wholeMessages);
        }
    }

    private Set<String> away() {
        var away = new HashSet<>(bookies);
        away.removeAll(alive);
        return away;
    }

    private void whole(long messages) {
        wholeMessages = messages;
        counts = DepthCounts.full(messages);
        fullMessages = messages;
        bad = List.of();
    }

    boolean due(long entries, boolean isOpen) {
        if (!looked || scan != null) {
            return true;
        }
        if (isWhole()) {
            return !missing.isEmpty() && System.nanoTime() - againNanos >= 0;
        }
        if ((entries > from && bad.isEmpty()) || (open && !isOpen)) {
            return true;
        }
        return !bad.isEmpty() && System.nanoTime() - againNanos >= 0;
    }

    private boolean isWhole() {
        return wholeMessages >= 0 && bad.isEmpty();
    }

    /**
     * Looks on from where it ended.
     *
     * @param look asks for, or completes, the copies of some entries from a place on
     * @return whether the look has come to its end; else it goes on at the next call
     */
    boolean look(LedgerView view, Function<EntryPlace, DepthReport> look, Deadline turn) {
        Scan now = scan == null ? new Scan(from) : scan;
        scan = now;
        while (now.at < view.entries()) {
            DepthReport report = look.apply(new EntryPlace(view.ledgerId(), now.at));
            if (report.entries() == 0) {
                // The rest is too young to be judged.
                break;
            }
            now.add(report);
            if (turn.passed() && now.at < view.entries()) {
                if (!looked) {
                    counts = DepthCounts.full(fullMessages + now.leadingFull).plus(now.rest);
                }
                return false;
            }
        }
        finish(view, now);
        return true;
    }

    private void finish(LedgerView view, Scan done) {
        scan = null;
        looked = true;
        open = view.open();
        bookies = bookies(view);
        missing = away();
        fullMessages += done.leadingFull;
        from = done.firstBad < 0 ? done.at : done.firstBad;
        counts = DepthCounts.full(fullMessages).plus(done.rest);
        bad = List.copyOf(done.bad);
        if (bad.isEmpty()) {
            if (!view.open()) {
                whole(counts.messages());
            }
            waitMillis = 0;
            again(Limits.DEPTH_AGAIN_MAX_MILLIS);
            return;
        }
        if (bad.stream().anyMatch(r -> r.lacking().values().stream().anyMatch(s -> s != CopyState.UNREACHABLE))) {
            wholeMessages = -1;
        }
        waitMillis = Math.clamp(waitMillis * 2, Limits.DEPTH_AGAIN_MIN_MILLIS, Limits.DEPTH_AGAIN_MAX_MILLIS);
        again(waitMillis);
    }

    private void again(long millis) {
        againNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static Set<String> bookies(LedgerView view) {
        var found = new HashSet<String>();
        view.ensembles().values().forEach(found::addAll);
        return found;
    }
}
