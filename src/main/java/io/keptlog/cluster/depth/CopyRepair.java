// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.depth.DepthAudit.EntryDepth;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.RepairReport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.net.BookieId;

/**
 * Brings the copies of closed ledgers back to Qw by BookKeeper's own means: a hole on a live bookie is written there as a recovery add of a
 * good copy; what was on a bookie that is gone is replicated to another one, which needs a spare. A copy is only ever added: nothing is
 * lost by a crash or a failure in between. Thread-safe.
 */
public final class CopyRepair {
    private static final int FAILURES_MAX = 20;

    private final LedgerClient client;
    private final DepthAudit audit;

    public CopyRepair(LedgerClient client, DepthAudit audit) {
        this.client = client;
        this.audit = audit;
    }

    /** One repair under way. */
    private static final class Progress {
        final Set<String> failures = new LinkedHashSet<>();
        long written;
        int replicated;

        void failed(String what) {
            if (failures.size() < FAILURES_MAX) {
                failures.add(what);
            }
        }
    }

    /**
     * @param ledgers are asked for again after bookies were replaced
     */
    public RepairReport repair(
            Supplier<List<LedgerView>> ledgers, long incarnation, EntryPlace from, int entriesMax, Deadline deadline) {
        return repair(ledgers, incarnation, from, entriesMax, bookie -> true, deadline);
    }

    /**
     * @param gone of the bookies that are not alive, those whose copies are made anew elsewhere
     */
    RepairReport repair(
            Supplier<List<LedgerView>> ledgers,
            long incarnation,
            EntryPlace from,
            int entriesMax,
            Predicate<String> gone,
            Deadline deadline) {
        var progress = new Progress();
        List<LedgerView> views = ledgers.get();
        DepthReport before = audit.audit(views, incarnation, from, entriesMax, deadline);
        Set<String> alive = client.bookies().live(deadline);
        for (DepthRange range : before.notFull()) {
            LedgerView ledger = views.stream()
                    .filter(v -> v.ledgerId() == range.ledgerId())
                    .findFirst()
                    .orElseThrow();
            if (range.open()) {
                progress.failed("Ledger " + range.ledgerId()
                        + " takes messages: its copies can be completed when it has ended.");
                continue;
            }
            writeHoles(ledger, range, incarnation, progress, deadline);
            for (Map.Entry<String, CopyState> lacking : range.lacking().entrySet()) {
                if (lacking.getValue() == CopyState.UNREACHABLE
                        && !alive.contains(lacking.getKey())
                        && gone.test(lacking.getKey())) {
                    replicate(range.ledgerId(), lacking.getKey(), progress, deadline);
                }
            }
        }
        DepthReport after = before.notFull().isEmpty()
                ? before
                : audit.audit(ledgers.get(), incarnation, from, entriesMax, deadline);
        return new RepairReport(progress.written, progress.replicated, List.copyOf(progress.failures), after);
    }

    private void writeHoles(
            LedgerView ledger, DepthRange range, long incarnation, Progress progress, Deadline deadline) {
        if (range.absent() == 0 && range.corrupt() == 0) {
            return;
        }
        for (long entry = range.firstEntry(); entry <= range.lastEntry() && !deadline.passed(); entry++) {
            EntryDepth now = audit.one(ledger, entry, incarnation);
            List<String> good = bookies(now, CopyState.PRESENT);
            var holes = new ArrayList<>(bookies(now, CopyState.ABSENT));
            holes.addAll(bookies(now, CopyState.CORRUPT));
            if (good.isEmpty()) {
                progress.failed("No bookie has a good copy of entry " + entry + " of ledger " + range.ledgerId() + ".");
                continue;
            }
            for (String hole : holes) {
                writeHole(ledger.ledgerId(), entry, good.getFirst(), hole, progress, deadline);
            }
        }
    }

    private static List<String> bookies(EntryDepth entry, CopyState state) {
        return entry.states().entrySet().stream()
                .filter(s -> s.getValue() == state)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void writeHole(
            long ledgerId, long entryId, String good, String hole, Progress progress, Deadline deadline) {
        try {
            BookieCopies.Entry entry = Waits.result(audit.copies().fetch(good, ledgerId, entryId), deadline);
            Waits.result(audit.copies().write(hole, ledgerId, entryId, entry), deadline);
            progress.written++;
        } catch (ExecutionException | TimeoutException e) {
            progress.failed("Entry " + entryId + " of ledger " + ledgerId + " could not be written to " + hole + ": "
                    + Waits.unwrap(e).getMessage() + ".");
        }
    }

    /** All that the bookie had of this ledger goes to another one. */
    private void replicate(long ledgerId, String bookie, Progress progress, Deadline deadline) {
        var done = new CompletableFuture<Integer>();
        client.admin()
                .asyncRecoverBookieData(
                        ledgerId,
                        Set.of(BookieId.parse(bookie)),
                        false,
                        true,
                        (code, context) -> done.complete(code),
                        null);
        try {
            int code = Waits.result(done, deadline);
            if (code == BKException.Code.OK) {
                progress.replicated++;
            } else {
                progress.failed("What bookie " + bookie + " had of ledger " + ledgerId
                        + " could not be replicated to another one: " + BKException.getMessage(code) + ".");
            }
        } catch (ExecutionException | TimeoutException e) {
            progress.failed("Replicating what bookie " + bookie + " had of ledger " + ledgerId + " goes on or failed: "
                    + Waits.unwrap(e).getMessage() + ".");
        }
    }
}
