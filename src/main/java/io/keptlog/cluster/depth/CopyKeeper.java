// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.LedgerViews;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.cluster.RepairReport;
import io.keptlog.domain.cluster.StreamDepth;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the copies of every partition that this broker owns, in the background, on one thread and at a bounded rate, and keeps what it
 * saw: asking it costs nothing. Where the write quorum is guaranteed it completes what is missing by {@link CopyRepair}. Holds a few
 * numbers per ledger; a crash forgets them, and the next owner looks again. Throws nothing; what fails is tried again later.
 */
public final class CopyKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CopyKeeper.class);
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int WAIT_MILLIS = 5_000;

    private final LedgerClient client;
    private final Supplier<Collection<KeptLog>> held;
    private final LostCopies lost;
    private final InstantSource clock;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AuditPace pace;
    private final DepthAudit audit;
    private final CopyRepair repair;
    private final Map<PartitionSpec, PartitionCopies> known = new ConcurrentHashMap<>();
    private final AwayBookies away;
    private @Nullable Thread thread;
    private long guaranteedNanos;

    /** What is told of a range that no bookie has. */
    public interface LostCopies {
        /**
         * @param again whether it was told before and could not be kept
         * @return whether it is kept; if not, the next look tells it again
         */
        boolean found(PartitionSpec spec, DepthRange range, boolean again);
    }

    /**
     * @param held the partitions in this broker's hands
     * @param settled as that of {@link DepthAudit}
     * @param goneAfter a bookie that is away for so long is gone
     */
    public CopyKeeper(
            LedgerClient client,
            Supplier<Collection<KeptLog>> held,
            LostCopies lost,
            InstantSource clock,
            Duration settled,
            Duration goneAfter,
            long bytesPerSecond) {
        this.client = client;
        this.held = held;
        this.lost = lost;
        this.clock = clock;
        this.pace = new AuditPace(bytesPerSecond, stopped);
        this.audit = new DepthAudit(client, clock, settled, pace::read);
        this.repair = new CopyRepair(client, audit);
        this.away = new AwayBookies(goneAfter);
    }

    public void start() {
        thread = Thread.ofPlatform().daemon().name("copy-keeper").start(this::work);
    }

    private void work() {
        do {
            try {
                round();
            } catch (KeptlogException e) {
                LOG.debug("copies were not looked at: {}", e.reason());
            } catch (RuntimeException e) {
                LOG.warn("a round of the copies' keeper failed", e);
            }
        } while (!pause(ROUND_NANOS));
    }

    private boolean pause(long nanos) {
        return pace.pause(nanos);
    }

    /** Those that are guaranteed come first, and again in between. */
    private void round() {
        Collection<KeptLog> logs = held.get();
        known.keySet().retainAll(logs.stream().map(KeptLog::spec).toList());
        List<KeptLog> guaranteed = logs.stream().filter(KeptLog::guaranteed).toList();
        guaranteedNanos = System.nanoTime() - ROUND_NANOS;
        for (KeptLog log : logs) {
            if (System.nanoTime() - guaranteedNanos >= ROUND_NANOS) {
                guaranteed.forEach(this::turn);
                guaranteedNanos = System.nanoTime();
            }
            if (!log.guaranteed()) {
                turn(log);
            }
        }
    }

    private void turn(KeptLog log) {
        if (stopped.getCount() == 0) {
            return;
        }
        try {
            look(log, Deadline.inMillis(Limits.DEPTH_AUDIT_TURN_MILLIS));
        } catch (KeptlogException e) {
            // The metadata store or the bookies do not answer: the next round tries again.
            LOG.debug(
                    "copies of partition {} were not looked at: {}", log.spec().ref(), e.reason());
        }
    }

    private void look(KeptLog log, Deadline turn) {
        PartitionCopies copies = known.computeIfAbsent(log.spec(), s -> new PartitionCopies());
        NavigableMap<Long, Long> entries = log.entries();
        copies.ledgers.keySet().retainAll(entries.keySet());
        Set<String> alive = client.bookies().live(Deadline.inMillis(WAIT_MILLIS));
        away.now(alive);
        Long open = log.openLedger();
        var due = new ArrayList<Long>();
        entries.forEach((id, count) -> {
            LedgerCopies ledger = copies.ledgers.computeIfAbsent(id, i -> new LedgerCopies());
            ledger.bookiesNow(alive);
            if (ledger.due(count, id.equals(open))) {
                due.add(id);
            }
        });
        boolean finished = true;
        if (!due.isEmpty()) {
            copies.failures.clear();
        }
        for (long ledgerId : due) {
            if (turn.passed() || stopped.getCount() == 0) {
                finished = false;
                break;
            }
            finished &= look(log, copies, ledgerId, entries, turn);
        }
        tell(log, copies, !due.isEmpty() && finished);
    }

    private boolean look(
            KeptLog log, PartitionCopies copies, long ledgerId, NavigableMap<Long, Long> all, Deadline turn) {
        // The one before it says where the first entry begins, should that have no good copy.
        Map.Entry<Long, Long> before = all.lowerEntry(ledgerId);
        List<Long> ids = before == null ? List.of(ledgerId) : List.of(before.getKey(), ledgerId);
        Supplier<List<LedgerView>> views = () -> LedgerViews.of(client, ids, all, Deadline.inMillis(WAIT_MILLIS));
        List<LedgerView> now = views.get();
        LedgerView view = now.getLast();
        LedgerCopies ledger = copies.ledgers.computeIfAbsent(ledgerId, i -> new LedgerCopies());
        boolean done = ledger.look(view, completing(log, copies, now, views), turn);
        if (done && log.guaranteed() && view.open() && ledger.bad().stream().anyMatch(this::couldBeCompleted)) {
            if (copies.mayEndLedger()) {
                log.endLedger();
            }
        } else if (done && ledger.bad().isEmpty()) {
            copies.well();
        }
        return done;
    }

    private Function<EntryPlace, DepthReport> completing(
            KeptLog log, PartitionCopies copies, List<LedgerView> now, Supplier<List<LedgerView>> views) {
        long incarnation = log.spec().incarnation();
        if (!log.guaranteed() || now.getLast().open()) {
            return from -> audit.audit(now, incarnation, from, Limits.DEPTH_AUDIT_STEP_ENTRIES, deadline());
        }
        return from -> {
            RepairReport report =
                    repair.repair(views, incarnation, from, Limits.DEPTH_AUDIT_STEP_ENTRIES, away::gone, deadline());
            copies.written += report.written() + report.replicated();
            copies.failures.addAll(report.failures());
            return report.after();
        };
    }

    private static Deadline deadline() {
        return Deadline.inMillis(Limits.DEPTH_MAX_MILLIS);
    }

    /** Once its ledger has ended: a bookie that is there lacks a copy, or one is gone. */
    private boolean couldBeCompleted(DepthRange range) {
        return range.lacking().entrySet().stream()
                .anyMatch(l -> l.getValue() == CopyState.UNREACHABLE ? away.gone(l.getKey()) : true);
    }

    private void tell(KeptLog log, PartitionCopies copies, boolean finished) {
        for (LedgerCopies ledger : copies.ledgers.values()) {
            for (DepthRange range : ledger.bad()) {
                long from = range.fromOffset();
                if (range.depth() == DepthRange.Depth.LOST
                        && !copies.keptLost.contains(from)
                        && lost.found(log.spec(), range, !copies.reportedLost.add(from))) {
                    copies.keptLost.add(from);
                }
            }
        }
        boolean news = copies.publish(log.guaranteed(), finished ? clock.instant() : null);
        if (news) {
            KeptDepth kept = copies.kept();
            LOG.warn(
                    "partition {}: {} messages have fewer copies than their write quorum and could not be completed yet, offsets {}: {}",
                    log.spec().ref(),
                    kept.counts().belowWriteQuorum(),
                    offsets(kept.ranges()),
                    String.join(" ", kept.failures()));
        }
    }

    private static String offsets(List<DepthRange> ranges) {
        var text = new StringBuilder();
        for (DepthRange range : ranges.subList(0, Math.min(20, ranges.size()))) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(range.fromOffset())
                    .append(" to ")
                    .append(range.toOffset());
        }
        return ranges.size() > 20 ? text + ", …" : text.toString();
    }

    /** What was seen of a partition last; nothing before the first look. */
    public KeptDepth kept(PartitionSpec spec) {
        PartitionCopies copies = known.get(spec);
        return copies == null ? KeptDepth.NOTHING : copies.kept();
    }

    /** By stream, of the partitions in this broker's hands. Asks nobody. */
    public List<StreamDepth> streams() {
        var streams = new HashMap<Integer, StreamDepth>();
        for (KeptLog log : held.get()) {
            DepthCounts counts = kept(log.spec()).counts();
            int stream = log.spec().ref().streamId();
            streams.merge(
                    stream,
                    new StreamDepth(stream, counts, Math.max(0, log.messages() - counts.messages())),
                    StreamDepth::plus);
        }
        return List.copyOf(new ArrayList<>(streams.values()));
    }

    @Override
    public void close() {
        stopped.countDown();
        if (thread != null) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
