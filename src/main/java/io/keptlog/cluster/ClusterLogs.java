// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.cluster.offsets.OffsetPointer;
import io.keptlog.cluster.peer.PeerCalls;
import io.keptlog.cluster.producers.ProducerLedger;
import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.PartitionLogs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every partition of the cluster, wherever its owner is. The catalog says what exists; a record per life in the metadata store is made before
 * the catalog names it, so that a life whose ledgers are gone differs from one that never had any. Thread-safe.
 */
final class ClusterLogs implements PartitionLogs {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLogs.class);

    private final Catalog catalog;
    private final Metadata metadata;
    private final Ownership ownership;
    private final LedgerClient client;
    private final PeerCalls peers;
    private final Runnable wakeKeeper;
    private final Map<PartitionRef, RoutedLog> routed = new ConcurrentHashMap<>();
    private volatile boolean draining;

    ClusterLogs(
            Catalog catalog,
            Metadata metadata,
            Ownership ownership,
            LedgerClient client,
            PeerCalls peers,
            Runnable wakeKeeper) {
        this.catalog = catalog;
        this.metadata = metadata;
        this.ownership = ownership;
        this.client = client;
        this.peers = peers;
        this.wakeKeeper = wakeKeeper;
    }

    @Override
    public void prepare(List<PartitionSpec> specs) {
        specs.forEach(s -> ownership.locks().prepare(LogOpener.name(s)));
    }

    @Override
    public void open(List<PartitionSpec> specs) {
        wakeKeeper.run();
    }

    @Override
    public void discard(List<PartitionSpec> specs) {
        specs.forEach(s -> ownership.locks().forget(LogOpener.name(s)));
    }

    @Override
    public @Nullable PartitionLog find(PartitionRef ref) {
        return findRouted(ref);
    }

    @Nullable
    RoutedLog findRouted(PartitionRef ref) {
        PartitionSpec spec = Lives.find(catalog.state(), ref);
        if (spec == null) {
            routed.remove(ref);
            return null;
        }
        if (draining) {
            throw KeptlogException.retryable(ErrorCode.SHUTTING_DOWN, "This broker is stopping.", 1);
        }
        RoutedLog log = routed.get(ref);
        if (log == null || !log.spec().equals(spec)) {
            log = new RoutedLog(spec, ownership, peers);
            routed.put(ref, log);
        }
        return log;
    }

    /** Those in this broker's hands: what is done in the background is done once, by the owner. */
    @Override
    public Collection<PartitionLog> all() {
        return ownership.open().stream().map(Owned::log).toList();
    }

    @Override
    public List<Removal> remove(Collection<Removal> removals) {
        var gone = new ArrayList<Removal>();
        for (Removal removal : removals) {
            var spec =
                    new PartitionSpec(removal.ref(), removal.incarnation(), LogOptions.defaults(Durability.REPLICATED));
            try {
                remove(LogOpener.name(spec), spec);
                gone.add(removal);
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn(
                        "deleted partition {} still has ledgers: {}",
                        removal.ref(),
                        Waits.unwrap(e).toString());
            } catch (KeptlogException e) {
                LOG.warn("deleted partition {} still has ledgers: {}", removal.ref(), e.reason());
            }
        }
        return gone;
    }

    private void remove(String name, PartitionSpec spec) throws ExecutionException, TimeoutException {
        var deadline = Deadline.inMillis(Limits.LEDGER_OPEN_MAX_MILLIS);
        for (Owned held : ownership.open()) {
            if (held.spec().ref().equals(spec.ref()) && held.spec().incarnation() == spec.incarnation()) {
                ownership.release(held, Deadline.inMillis(1));
            }
        }
        client.delete(name, deadline);
        Long offsets = new OffsetPointer(metadata, name).remove();
        if (offsets != null) {
            deleteLedger(offsets, deadline);
        }
        Long producers = new ProducerLedger(client, metadata, () -> QuorumPolicy.DEFAULT, name).remove();
        if (producers != null) {
            deleteLedger(producers, deadline);
        }
        ownership.locks().forget(name);
    }

    private void deleteLedger(long ledgerId, Deadline deadline) throws ExecutionException, TimeoutException {
        try {
            Waits.result(client.deleteLedger(ledgerId), deadline);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof org.apache.bookkeeper.client.BKException.BKNoSuchLedgerExistsException)
                    && !(e.getCause()
                            instanceof
                            org.apache.bookkeeper.client.BKException.BKNoSuchLedgerExistsOnMetadataServerException)) {
                throw e;
            }
        }
    }

    @Override
    public List<Fault> faults() {
        var faults = new ArrayList<Fault>();
        for (Owned held : ownership.open()) {
            if (held.log().status().state() == LogStatus.State.READ_ONLY) {
                faults.add(
                        new Fault("partition " + held.spec().ref(), "waits for bookies to take writes again", false));
            }
        }
        ownership.damaged().forEach((spec, reason) -> faults.add(new Fault("partition " + spec.ref(), reason, false)));
        return faults;
    }

    /** What is acknowledged is on the journals of an ack quorum. */
    @Override
    public AtRisk atRisk() {
        return AtRisk.NOTHING;
    }

    @Override
    public List<PartitionRef> drain(Deadline deadline) {
        draining = true;
        var failed = new ArrayList<PartitionRef>();
        for (Owned held : ownership.open()) {
            if (!held.drain(deadline)) {
                failed.add(held.spec().ref());
            }
        }
        return failed;
    }

    /** Locks go at once, so that other brokers need not wait for the session's end. */
    @Override
    public void close() {
        draining = true;
        ownership.close();
        var deadline = Deadline.inMillis(3_000);
        for (Owned held : ownership.open()) {
            try {
                ownership.release(held, deadline);
            } catch (KeptlogException e) {
                LOG.info(
                        "partition {} is left to its next owner: {}",
                        held.spec().ref(),
                        e.reason());
            }
        }
    }
}
