// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.bookie.BookieWatch;
import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.SyncCheck.Verdict;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.metadata.RackStore;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.BookieSignals;
import io.keptlog.domain.cluster.BookieView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bookies in one place: which there are, what they say of themselves, how fast they answer this broker, where they stand. A bookie that does
 * not answer delays nothing by more than a second, and only the first time. Thread-safe.
 */
final class ClusterBookies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterBookies.class);
    private static final int WAIT_MILLIS = 5_000;
    private static final int FIRST_ANSWER_MILLIS = 1_000;

    private final LedgerClient client;
    private final BookieSync sync;
    private final Ownership ownership;
    private final Policies policies;
    private final RackStore racks;
    private final Executor executor;
    private final BookieWatch watch;

    ClusterBookies(
            LedgerClient client,
            BookieSync sync,
            Ownership ownership,
            Policies policies,
            RackStore racks,
            Executor executor) {
        this.client = client;
        this.sync = sync;
        this.ownership = ownership;
        this.policies = policies;
        this.racks = racks;
        this.executor = executor;
        this.watch = new BookieWatch(client, executor, sync::verdict);
    }

    void start() {
        reloadRacks();
        watch.start();
    }

    /** What somebody has changed in the metadata store. */
    void reloadRacks() {
        try {
            client.bookies().racks().update(racks.read());
        } catch (KeptlogException e) {
            LOG.warn("the racks of bookies stay as they were: {}", e.reason());
        }
    }

    void setRack(String bookie, @Nullable String rack) {
        racks.set(bookie, rack);
        reloadRacks();
    }

    List<BookieView> list() {
        Set<String> writable = client.bookies().writable(Deadline.inMillis(WAIT_MILLIS));
        Set<String> live = client.bookies().live(Deadline.inMillis(WAIT_MILLIS));
        Map<String, Long> underReplicated = watch.underReplicated();
        var all = new HashSet<>(live);
        all.addAll(underReplicated.keySet());
        Map<String, Verdict> verdicts = verdicts(live);
        Map<String, Set<Integer>> deciding = deciding();
        var found = new ArrayList<BookieView>();
        for (String bookie : all) {
            double millis = client.latencies().meanMillis(bookie).orElse(Double.NaN);
            found.add(new BookieView(
                    bookie,
                    writable.contains(bookie),
                    journalSync(verdicts.getOrDefault(bookie, Verdict.UNKNOWN)),
                    live.contains(bookie) ? watch.of(bookie) : BookieSignals.of(BookieSignals.Status.AWAY),
                    Double.isNaN(millis) ? null : millis,
                    underReplicated.getOrDefault(bookie, 0L),
                    List.copyOf(deciding.getOrDefault(bookie, Set.of())),
                    client.bookies().racks().configured(bookie)));
        }
        found.sort(Comparator.comparing(BookieView::id));
        return List.copyOf(found);
    }

    private static BookieView.JournalSync journalSync(Verdict verdict) {
        return switch (verdict) {
            case SYNCED -> BookieView.JournalSync.SYNCED;
            case NOT_SYNCED -> BookieView.JournalSync.NOT_SYNCED;
            case UNKNOWN -> BookieView.JournalSync.UNVERIFIED;
        };
    }

    /** As they are known; those that were never asked are asked now, all at once. */
    private Map<String, Verdict> verdicts(Set<String> bookies) {
        var asked = new HashMap<String, CompletableFuture<Verdict>>();
        for (String bookie : bookies) {
            asked.put(
                    bookie,
                    sync.known(bookie)
                            .map(CompletableFuture::completedFuture)
                            .orElseGet(() -> CompletableFuture.supplyAsync(() -> sync.verdict(bookie), executor)
                                    .completeOnTimeout(Verdict.UNKNOWN, FIRST_ANSWER_MILLIS, TimeUnit.MILLISECONDS)));
        }
        var verdicts = new HashMap<String, Verdict>();
        asked.forEach((bookie, verdict) -> verdicts.put(bookie, verdict.join()));
        return verdicts;
    }

    /**
     * Bookie → streams for which acknowledgements wait for it: in most write sets of the ledger in use of one of their partitions it is the
     * Qa-th to answer, as this broker sees it. Bookies without adds are left out.
     */
    private Map<String, Set<Integer>> deciding() {
        var deciding = new TreeMap<String, Set<Integer>>();
        for (Owned held : ownership.open()) {
            LedgerLog log = held.ledgerLog();
            if (log != null) {
                int stream = held.spec().ref().streamId();
                String bookie = deciding(log.ensemble(), policies.of(held.spec().ref()));
                if (bookie != null) {
                    deciding.computeIfAbsent(bookie, b -> new TreeSet<>()).add(stream);
                }
            }
        }
        return deciding;
    }

    private @Nullable String deciding(List<String> ensemble, QuorumPolicy policy) {
        if (ensemble.size() != policy.ensembleSize()) {
            // The next ledger has another policy.
            return null;
        }
        var votes = new TreeMap<String, Integer>();
        for (int first = 0; first < ensemble.size(); first++) {
            List<String> writeSet =
                    policy.writeSet(first).stream().map(ensemble::get).toList();
            if (writeSet.stream().allMatch(b -> client.latencies().meanMillis(b).isPresent())) {
                writeSet.stream()
                        .sorted(Comparator.comparingDouble(
                                b -> client.latencies().meanMillis(b).orElseThrow()))
                        .skip(policy.ackQuorum() - 1L)
                        .findFirst()
                        .ifPresent(b -> votes.merge(b, 1, Integer::sum));
            }
        }
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    @Override
    public void close() {
        watch.close();
    }
}
