// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.depth.CopyKeeper;
import io.keptlog.cluster.depth.DepthAudit;
import io.keptlog.cluster.depth.KeptLog;
import io.keptlog.cluster.ledger.LedgerSettings;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.cluster.ledger.append.PendingBytes;
import io.keptlog.cluster.metadata.Broker;
import io.keptlog.cluster.metadata.Brokers;
import io.keptlog.cluster.metadata.ClusterCatalog;
import io.keptlog.cluster.metadata.ClusterReports;
import io.keptlog.cluster.metadata.ClusterSecrets;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.cluster.metadata.PartitionLocks;
import io.keptlog.cluster.metadata.RackStore;
import io.keptlog.cluster.peer.OwnerRequests;
import io.keptlog.cluster.peer.PeerCalls;
import io.keptlog.cluster.peer.PeerConnections;
import io.keptlog.cluster.peer.PeerServer;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.Replication;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's door: a broker's whole store, made in one piece and closed in one piece. Nothing of it is loaded on a single node. Throws
 * QUORUM_UNAVAILABLE when the metadata store or BookKeeper cannot be reached at the start; nothing is left running then.
 */
public final class ClusterStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterStore.class);
    private static final int TELL_OTHERS_MILLIS = 1_000;

    private final Metadata metadata;
    private final LedgerClient client;
    private final BookieSync bookieSync;
    private final PendingBytes pending;
    private final Brokers brokers;
    private final ClusterCatalog catalog;
    private final ClusterSecrets secrets;
    private final Ownership ownership;
    private final ClusterLogs logs;
    private final ClusterOffsets offsets;
    private final PeerServer peerServer;
    private final PeerConnections peerConnections;
    private final PeerCalls calls;
    private final Keeper keeper;
    private final CopyKeeper copyKeeper;
    private final ClusterBookies clusterBookies;
    private final ExecutorService executor;
    private final ClusterReplication replication;

    private ClusterStore(ClusterSettings settings, Metadata metadata, LedgerClient client) throws IOException {
        this.metadata = metadata;
        this.client = client;
        executor = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("cluster-", 0).factory());
        secrets = new ClusterSecrets(metadata);
        catalog = new ClusterCatalog(metadata, InstantSource.system(), this::tellOtherBrokers);
        bookieSync = new BookieSync(client);
        var policies = new Policies(catalog, settings.defaultPolicy());
        var wake = new Semaphore(0);
        byte[] secret = secrets.get("peer");
        // The port must be known before this broker registers, and requests come only after that.
        peerServer = new PeerServer(settings.peerHost(), settings.peerPort(), secret);
        var self = new Broker(
                UUID.randomUUID().toString(),
                settings.brokerName(),
                settings.httpAddress(),
                settings.peerHost() + ":" + peerServer.port());
        brokers = new Brokers(metadata, self, (int) settings.sessionTimeout().toMillis());
        pending = new PendingBytes(settings.pendingBytesMax());
        var opener = new LogOpener(client, bookieSync, pending, LedgerSettings.DEFAULT);
        var locks = new PartitionLocks(metadata);
        var taker = new PartitionTaker(metadata, locks, self.id(), opener, client, bookieSync, policies);
        ownership = new Ownership(catalog, locks, brokers, taker, client, executor);
        keeper = new Keeper(catalog, brokers, ownership, policies, client, executor, wake);
        peerConnections = new PeerConnections(secret);
        calls = new PeerCalls(peerConnections);
        logs = new ClusterLogs(catalog, metadata, ownership, client, calls, keeper::wake);
        offsets = new ClusterOffsets(ownership, calls, settings.writeTimeout());
        clusterBookies = new ClusterBookies(client, bookieSync, ownership, policies, new RackStore(metadata), executor);
        var settled = Duration.ofSeconds(settings.addTimeoutSeconds());
        copyKeeper = new CopyKeeper(
                client,
                () -> ownership.open().stream()
                        .<KeptLog>map(o ->
                                new OwnedCopies(o, policies.guaranteed(o.spec().ref())))
                        .toList(),
                new LostCopiesReport(reports(), InstantSource.system()),
                InstantSource.system(),
                settled,
                Duration.ofMillis(Limits.DEPTH_BOOKIE_GONE_MILLIS),
                settings.auditBytesPerSecond());
        var audit = new DepthAudit(client, InstantSource.system(), settled);
        replication = new ClusterReplication(logs, brokers, policies, client, clusterBookies, audit, copyKeeper);
    }

    /** After it, whoever asks any live broker sees what this one has just changed. One that does not answer hears of it from the metadata store. */
    private void tellOtherBrokers() {
        var deadline = Deadline.inMillis(TELL_OTHERS_MILLIS);
        List<CompletableFuture<Void>> told = brokers.live().stream()
                .filter(b -> !b.id().equals(brokers.self().id()))
                .map(b -> CompletableFuture.runAsync(() -> calls.catalogChanged(b.peerAddress(), deadline), executor))
                .toList();
        for (CompletableFuture<Void> one : told) {
            try {
                Waits.result(one, deadline);
            } catch (ExecutionException | TimeoutException e) {
                LOG.debug(
                        "a broker was not told of a change: {}", Waits.unwrap(e).toString());
            }
        }
    }

    private void changed(String path) {
        if (ClusterCatalog.concerns(path) || Brokers.concerns(path)) {
            executor.execute(catalog::refresh);
            keeper.wake();
        }
        if (path.equals(RackStore.PATH)) {
            executor.execute(clusterBookies::reloadRacks);
        }
        String partition = PartitionLocks.partitionOf(path);
        if (partition != null) {
            ownership.forgetOwner(partition);
        }
    }

    /** Connects, registers and begins to take partitions. */
    public static ClusterStore open(ClusterSettings settings) {
        var metadata = new Metadata(
                settings.metadataUri(), (int) settings.sessionTimeout().toMillis());
        LedgerClient client = null;
        try {
            client = new LedgerClient(
                    metadata.store(), settings.bookKeeperUri(), settings.addTimeoutSeconds(), settings.racks());
            var store = new ClusterStore(settings, metadata, client);
            store.start();
            return store;
        } catch (KeptlogException e) {
            abandon(client, metadata);
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            abandon(client, metadata);
            throw new KeptlogException(
                    ErrorCode.QUORUM_UNAVAILABLE,
                    "The cluster at " + settings.metadataUri() + " cannot be joined: " + e.getMessage(),
                    null,
                    0,
                    Map.of(),
                    e);
        }
    }

    private static void abandon(@org.jspecify.annotations.Nullable LedgerClient client, Metadata metadata) {
        if (client != null) {
            client.close();
        }
        metadata.close();
    }

    private void start() {
        // The first registers, the second sees that it is registered; nothing is held yet.
        brokers.keepAlive();
        brokers.letGo();
        brokers.keepAlive();
        clusterBookies.start();
        peerServer.start(new OwnerRequests(ownership, copyKeeper::kept));
        metadata.onChange(this::changed);
        keeper.start();
        copyKeeper.start();
    }

    public Catalog catalog() {
        return catalog;
    }

    public PartitionLogs logs() {
        return logs;
    }

    /** Of entries that some bookie still has to answer. */
    public long pendingBytes() {
        return pending.bytes();
    }

    Ownership ownership() {
        return ownership;
    }

    public OffsetStore offsets() {
        return offsets;
    }

    public RecoveryReports reports() {
        return new ClusterReports(metadata);
    }

    public Replication replication() {
        return replication;
    }

    /** 256 random bits that all brokers share. */
    public byte[] secret(String name) {
        return secrets.get(name);
    }

    /** Hands every partition over and leaves. */
    @Override
    public void close() {
        copyKeeper.close();
        clusterBookies.close();
        keeper.close();
        logs.close();
        brokers.leave();
        peerServer.close();
        peerConnections.close();
        executor.shutdown();
        bookieSync.close();
        client.close();
        metadata.close();
    }
}
