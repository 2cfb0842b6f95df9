// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.ledger.append.AppendLane;
import io.keptlog.cluster.ledger.append.LaneInterceptor;
import io.keptlog.cluster.ledger.read.StoredFrame;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a partition goes on to its next ledger: full, old, another policy, a bookie of its ensemble gone; and only while enough
 * bookies are there to make the next one. Told of each stored frame by the appending threads; decides on the owner's maintenance thread.
 */
final class LedgerRoller {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRoller.class);

    /** The library replaces a bookie on its own account; what is said of the ensemble is not older than this. */
    private static final long ENSEMBLE_FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ManagedLedgerImpl ledger;
    private final ManagedLedgerConfig config;
    private final LaneInterceptor interceptor;
    private final LedgerClient client;
    private final long fullBytes;
    private final long ageMillis;
    private final AtomicLong bytes = new AtomicLong();

    private volatile long current = -1;
    private volatile long sinceNanos = System.nanoTime();
    private volatile List<String> ensemble = List.of();
    private volatile boolean requested;
    private volatile long lookedNanos = System.nanoTime();
    private volatile Set<String> lastWritable = Set.of();

    LedgerRoller(
            ManagedLedgerImpl ledger,
            LaneInterceptor interceptor,
            LedgerClient client,
            long fullBytes,
            long ageMillis) {
        this.ledger = ledger;
        this.config = ledger.getConfig();
        this.interceptor = interceptor;
        this.client = client;
        this.fullBytes = fullBytes;
        this.ageMillis = ageMillis;
    }

    /** Before the first append: whose bookies they will be. */
    void begin() {
        Long open = currentLedger();
        if (open != null) {
            begun(open);
        }
    }

    void stored(StoredFrame frame) {
        if (frame.ledgerId() != current) {
            begun(frame.ledgerId());
        }
        long before = bytes.getAndAdd(frame.lengthBytes());
        if (before < fullBytes && before + frame.lengthBytes() >= fullBytes) {
            rollWhenPossible();
        }
    }

    /** On the appending thread, which has its answer already: the ledger ends where it is full, when that is possible. */
    private void rollWhenPossible() {
        try {
            if (nextCanBeMade()) {
                interceptor.roll();
            }
        } catch (KeptlogException e) {
            LOG.debug("{}: the roll is left to maintenance: {}", ledger.getName(), e.reason());
        }
    }

    private synchronized void begun(long ledgerId) {
        if (ledgerId > current) {
            current = ledgerId;
            bytes.set(0);
            sinceNanos = System.nanoTime();
            requested = false;
            look(ledgerId);
        }
    }

    private void look(long ledgerId) {
        lookedNanos = System.nanoTime();
        try {
            LedgerMetadata metadata = client.metadata(ledgerId, Deadline.inMillis(2_000));
            Map<Long, List<String>> all = LedgerClient.ensembles(metadata);
            ensemble = all.values().stream().reduce(List.of(), (a, b) -> b);
        } catch (ExecutionException | TimeoutException e) {
            // Tried again by the next maintenance; until then the ensemble counts as unknown.
            ensemble = List.of();
        }
    }

    /** The ledger that takes appends, or null before the first one. */
    @Nullable
    Long currentLedger() {
        Map.Entry<Long, ?> last = ledger.getLedgersInfo().lastEntry();
        return last == null ? null : last.getKey();
    }

    /** The bookies that entries go to now; empty when not known. */
    List<String> ensemble() {
        return ensemble;
    }

    void request() {
        requested = true;
    }

    private boolean nextCanBeMade() {
        var policy = new QuorumPolicy(config.getEnsembleSize(), config.getWriteQuorumSize(), config.getAckQuorumSize());
        return client.bookies().shortage(policy, Deadline.inMillis(2_000)) == null;
    }

    void end(AppendLane lane) {
        if (nextCanBeMade() && !lane.whenIdle(() -> interceptor.endNow(ledger))) {
            requested = true;
        }
    }

    void maintain(QuorumPolicy policy, boolean possible, Deadline deadline) {
        ManagedLedgers.apply(config, policy);
        Long open = currentLedger();
        if (open == null) {
            return;
        }
        Set<String> writable = client.writableBookies(deadline);
        if (open > current) {
            begun(open);
        } else if (ensemble.isEmpty()
                || !writable.equals(lastWritable)
                || System.nanoTime() - lookedNanos > ENSEMBLE_FRESH_NANOS) {
            look(open);
        }
        lastWritable = writable;
        String reason = reason(policy, writable, deadline);
        if (reason != null && possible) {
            LOG.debug("{}: ledger {} ends with the next append: {}", ledger.getName(), open, reason);
            interceptor.roll();
        }
    }

    private @Nullable String reason(QuorumPolicy policy, Set<String> writable, Deadline deadline) {
        if (bytes.get() == 0 && ensemble.isEmpty()) {
            return null;
        }
        if (requested) {
            return "asked for";
        }
        if (bytes.get() >= fullBytes) {
            return "full";
        }
        if (bytes.get() > 0 && System.nanoTime() - sinceNanos > TimeUnit.MILLISECONDS.toNanos(ageMillis)) {
            return "old";
        }
        if (!client.quorum(current, deadline).equals(policy)) {
            return "another policy";
        }
        return ensemble.stream().allMatch(writable::contains) ? null : "a bookie of its ensemble is gone";
    }
}
