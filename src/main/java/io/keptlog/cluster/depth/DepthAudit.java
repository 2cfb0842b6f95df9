// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.storage.frame.FrameHeader;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks every bookie of every entry's write set for its copy. Only entries that are confirmed, and of an open ledger only those that every
 * bookie has had the time to take. Changes nothing, keeps nothing; some entries at once. Thread-safe.
 */
public final class DepthAudit {
    /** Entries asked for at once, and about how many bytes of them. */
    private static final int AT_ONCE_MAX = 32;

    private static final int AT_ONCE_BYTES = 2 << 20;

    private final BookieCopies copies;
    private final InstantSource clock;
    private final Duration settled;
    private final LongConsumer read;

    /**
     * @param settled an entry of an open ledger that is younger may still be on its way to some bookie
     */
    public DepthAudit(LedgerClient client, InstantSource clock, Duration settled) {
        this(client, clock, settled, bytes -> {});
    }

    /**
     * @param read is told of the bytes that were read, a few entries at a time, and may let the audit wait
     */
    public DepthAudit(LedgerClient client, InstantSource clock, Duration settled, LongConsumer read) {
        this.copies = new BookieCopies(client);
        this.clock = clock;
        this.settled = settled;
        this.read = read;
    }

    /** An entry's copies by bookie, in the order of the write set. */
    record EntryDepth(LedgerView ledger, long entryId, Map<String, CopyState> states, @Nullable FrameHeader header) {
        /** About what was read of it. */
        long bytes() {
            return header == null
                    ? 0
                    : (long) header.frameLength() * Collections.frequency(states.values(), CopyState.PRESENT);
        }
    }

    /**
     * @param ledgers of the partition, oldest first; those that are missing are left out. One before {@code from} is asked only where an
     *     entry without a good copy begins.
     * @param from where to begin
     * @param entriesMax how many entries are asked for at most; ends earlier at the deadline, with at least one
     */
    public DepthReport audit(
            List<LedgerView> ledgers, long incarnation, EntryPlace from, int entriesMax, Deadline deadline) {
        long youngest = ChronoUnit.MICROS.between(
                java.time.Instant.EPOCH, clock.instant().minus(settled));
        var found = new ArrayList<EntryDepth>();
        int step = 1;
        for (LedgerView ledger : ledgers) {
            if (ledger.policy() == null || ledger.ledgerId() < from.ledgerId()) {
                continue;
            }
            long entry = ledger.ledgerId() == from.ledgerId() ? from.entryId() : 0;
            while (entry < ledger.entries()) {
                if (!found.isEmpty() && (found.size() >= entriesMax || deadline.passed())) {
                    return report(ledgers, incarnation, found, new EntryPlace(ledger.ledgerId(), entry));
                }
                long end = Math.min(ledger.entries(), entry + Math.min(step, entriesMax - found.size()));
                for (EntryDepth one : look(ledger, entry, end, incarnation)) {
                    if (ledger.open() && one.header() != null && one.header().appendTimeMicros() > youngest) {
                        return report(ledgers, incarnation, found, null);
                    }
                    found.add(one);
                    step = step(one, step);
                }
                entry = end;
            }
        }
        return report(ledgers, incarnation, found, null);
    }

    private static int step(EntryDepth seen, int step) {
        return seen.header() == null
                ? step
                : Math.clamp(AT_ONCE_BYTES / seen.header().frameLength(), 1, AT_ONCE_MAX);
    }

    private DepthReport report(
            List<LedgerView> ledgers, long incarnation, List<EntryDepth> found, @Nullable EntryPlace next) {
        long begin = -1;
        long end = -1;
        if (!found.isEmpty() && found.getFirst().header() == null) {
            FrameHeader before = neighbour(ledgers, incarnation, found.getFirst(), -1);
            begin = before == null ? -1 : before.endOffset();
        }
        if (!found.isEmpty() && found.getLast().header() == null) {
            FrameHeader after = neighbour(ledgers, incarnation, found.getLast(), 1);
            end = after == null ? -1 : after.baseOffset();
        }
        return new DepthReport(found.size(), DepthRanges.of(found, begin, end), next);
    }

    /** The frame next to an entry that has no good copy: it says which messages the entry had. */
    private @Nullable FrameHeader neighbour(List<LedgerView> ledgers, long incarnation, EntryDepth entry, int step) {
        LedgerView ledger = entry.ledger();
        long beside = entry.entryId() + step;
        if (beside < 0 || beside >= ledger.entries()) {
            int at = ledgers.indexOf(ledger) + step;
            if (at < 0 || at >= ledgers.size()) {
                return null;
            }
            ledger = ledgers.get(at);
            beside = step < 0 ? ledger.entries() - 1 : 0;
        }
        return ledger.policy() == null || ledger.entries() == 0
                ? null
                : one(ledger, beside, incarnation).header();
    }

    private List<EntryDepth> look(LedgerView ledger, long first, long end, long incarnation) {
        var asked = new ArrayList<Map<String, CompletableFuture<BookieCopies.Look>>>();
        for (long entry = first; entry < end; entry++) {
            var byBookie = new LinkedHashMap<String, CompletableFuture<BookieCopies.Look>>();
            for (String bookie : ledger.bookiesOf(entry)) {
                byBookie.put(bookie, copies.look(bookie, ledger.ledgerId(), entry, incarnation));
            }
            asked.add(byBookie);
        }
        // The client gives up on a bookie before that.
        var deadline = Deadline.in(settled.plusSeconds(10));
        var found = new ArrayList<EntryDepth>();
        for (int i = 0; i < asked.size(); i++) {
            var states = new LinkedHashMap<String, CopyState>();
            FrameHeader header = null;
            for (Map.Entry<String, CompletableFuture<BookieCopies.Look>> one :
                    asked.get(i).entrySet()) {
                BookieCopies.Look look = answer(one.getValue(), deadline);
                states.put(one.getKey(), look.state());
                header = header == null ? look.header() : header;
            }
            found.add(new EntryDepth(ledger, first + i, states, header));
        }
        read.accept(found.stream().mapToLong(EntryDepth::bytes).sum());
        return found;
    }

    private static BookieCopies.Look answer(CompletableFuture<BookieCopies.Look> look, Deadline deadline) {
        try {
            return Waits.result(look, deadline);
        } catch (TimeoutException | ExecutionException e) {
            return new BookieCopies.Look(CopyState.UNREACHABLE, null);
        }
    }

    BookieCopies copies() {
        return copies;
    }

    /** The copies of one entry now. */
    EntryDepth one(LedgerView ledger, long entryId, long incarnation) {
        return look(ledger, entryId, entryId + 1, incarnation).getFirst();
    }
}
