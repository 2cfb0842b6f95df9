// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.ClientContext;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.mledger.AsyncCallbacks;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.ManagedLedgerFactoryConfig;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerFactoryImpl;
import org.apache.bookkeeper.net.BookieId;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This broker's connection to the bookies: one BookKeeper client and the managed ledgers over it. Thread-safe; every call that waits has
 * a deadline. Failures are the libraries' own exceptions below an ExecutionException, for the caller to say what they mean.
 */
public final class LedgerClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerClient.class);
    /** Managed ledgers and read handles must agree on it. */
    public static final DigestType DIGEST = DigestType.CRC32C;

    public static final byte[] NO_PASSWORD = new byte[0];
    /** Ledgers whose description is remembered: those in use, and what readers come back to. */
    private static final int METADATA_CACHE_MAX = 10_000;

    private final ClientConfiguration conf = new ClientConfiguration();
    private final BookKeeper bookKeeper;
    private final BookieLatencies latencies = new BookieLatencies();
    private final Bookies bookies;
    private final ManagedLedgerFactoryImpl managedLedgers;
    private final Map<Long, QuorumPolicy> quorums = new ConcurrentHashMap<>();

    /**
     * @param bookKeeperUri for example {@code zk+hierarchical://127.0.0.1:2181/ledgers}
     * @param addTimeoutSeconds a bookie that has not answered an add by then is replaced; below the deadline of a produce
     */
    public LedgerClient(MetadataStoreExtended metadata, String bookKeeperUri, int addTimeoutSeconds) throws Exception {
        this(metadata, bookKeeperUri, addTimeoutSeconds, RackPolicy.DEFAULT);
    }

    /** As the other one, with a policy of racks. */
    public LedgerClient(
            MetadataStoreExtended metadata, String bookKeeperUri, int addTimeoutSeconds, RackPolicy rackPolicy)
            throws Exception {
        conf.setMetadataServiceUri(bookKeeperUri);
        conf.setAddEntryTimeout(addTimeoutSeconds);
        conf.setReadEntryTimeout(addTimeoutSeconds);
        conf.setStickyReadsEnabled(true);
        // A dead bookie without a spare must not end a ledger whose write sets still gather Qa; the roller then makes a
        // whole ensemble.
        conf.setDelayEnsembleChange(true);
        conf.setClientConnectTimeoutMillis(2_000);
        conf.setUseV2WireProtocol(true);
        conf.setNumIOThreads(2);
        conf.setNumWorkerThreads(4);
        // A bookie that keeps failing is avoided for a while when an ensemble is chosen.
        conf.enableBookieHealthCheck();
        conf.setBookieHealthCheckInterval(5, java.util.concurrent.TimeUnit.SECONDS);
        conf.setBookieErrorThresholdPerInterval(3);
        conf.setBookieQuarantineTime(30, java.util.concurrent.TimeUnit.SECONDS);
        var racks = new BookieRacks(rackPolicy);
        conf.setEnsemblePlacementPolicy(RackPlacement.class);
        conf.setProperty(RackPlacement.RACKS, racks);
        conf.setMinNumRacksPerWriteQuorum(rackPolicy.minRacksPerWriteQuorum());
        conf.setEnforceMinNumRacksPerWriteQuorum(rackPolicy.enforced());
        // Without it the client counts all bookies as one.
        conf.setLimitStatsLogging(false);
        bookKeeper = BookKeeper.forConfig(conf).statsLogger(latencies).build();
        bookies = new Bookies(bookKeeper, bookKeeper.getClientCtx(), racks);
        var factory = new ManagedLedgerFactoryConfig();
        // The library caches only for active cursors, which the logs do not have; they keep their own recent frames.
        factory.setMaxCacheSize(0);
        factory.setNumManagedLedgerSchedulerThreads(2);
        managedLedgers = new ManagedLedgerFactoryImpl(metadata, bookKeeper, factory);
    }

    /** For what the client's own interface does not offer: asking single bookies. */
    public ClientContext context() {
        return bookKeeper.getClientCtx();
    }

    /** For moving ledgers between bookies. The caller closes it; the client stays. */
    public BookKeeperAdmin admin() {
        return new BookKeeperAdmin(bookKeeper, conf);
    }

    public ManagedLedger open(String name, ManagedLedgerConfig config, Deadline deadline)
            throws ExecutionException, TimeoutException {
        var opened = new CompletableFuture<ManagedLedger>();
        managedLedgers.asyncOpen(
                name,
                config,
                new AsyncCallbacks.OpenLedgerCallback() {
                    @Override
                    public void openLedgerComplete(ManagedLedger ledger, Object context) {
                        opened.complete(ledger);
                    }

                    @Override
                    public void openLedgerFailed(ManagedLedgerException e, Object context) {
                        opened.completeExceptionally(e);
                    }
                },
                null,
                null);
        return ManagedLedgerClose.whenLate(opened, deadline);
    }

    /** Ledger id → entries of a managed ledger that nobody here has open; its last ledger may say 0. */
    public org.apache.bookkeeper.mledger.ManagedLedgerInfo info(String name, Deadline deadline)
            throws ExecutionException, TimeoutException {
        var read = new CompletableFuture<org.apache.bookkeeper.mledger.ManagedLedgerInfo>();
        managedLedgers.asyncGetManagedLedgerInfo(
                name,
                new AsyncCallbacks.ManagedLedgerInfoCallback() {
                    @Override
                    public void getInfoComplete(org.apache.bookkeeper.mledger.ManagedLedgerInfo info, Object context) {
                        read.complete(info);
                    }

                    @Override
                    public void getInfoFailed(ManagedLedgerException e, Object context) {
                        read.completeExceptionally(e);
                    }
                },
                null);
        return Waits.result(read, deadline);
    }

    /** Deletes a managed ledger with all its ledgers; nothing happens when it is gone. */
    public void delete(String name, Deadline deadline) throws ExecutionException, TimeoutException {
        var deleted = new CompletableFuture<Boolean>();
        managedLedgers.asyncDelete(
                name,
                new AsyncCallbacks.DeleteLedgerCallback() {
                    @Override
                    public void deleteLedgerComplete(Object context) {
                        deleted.complete(true);
                    }

                    @Override
                    public void deleteLedgerFailed(ManagedLedgerException e, Object context) {
                        if (e instanceof ManagedLedgerException.ManagedLedgerNotFoundException
                                || e instanceof ManagedLedgerException.MetadataNotFoundException) {
                            deleted.complete(false);
                        } else {
                            deleted.completeExceptionally(e);
                        }
                    }
                },
                null);
        Waits.result(deleted, deadline);
    }

    /** Opens for reading without fencing its writer. */
    public CompletableFuture<ReadHandle> openForRead(long ledgerId) {
        return openLedger(ledgerId, false);
    }

    /** Opens and, when {@code recover}, fences its writer and closes it at what the quorum has. */
    public CompletableFuture<ReadHandle> openLedger(long ledgerId, boolean recover) {
        return bookKeeper
                .newOpenLedgerOp()
                .withRecovery(recover)
                .withLedgerId(ledgerId)
                .withDigestType(DIGEST)
                .withPassword(NO_PASSWORD)
                .execute();
    }

    public CompletableFuture<WriteHandle> createLedger(QuorumPolicy policy, Map<String, byte[]> labels) {
        return bookKeeper
                .newCreateLedgerOp()
                .withEnsembleSize(policy.ensembleSize())
                .withWriteQuorumSize(policy.writeQuorum())
                .withAckQuorumSize(policy.ackQuorum())
                .withDigestType(DIGEST)
                .withPassword(NO_PASSWORD)
                .withCustomMetadata(labels)
                .execute();
    }

    public CompletableFuture<Void> deleteLedger(long ledgerId) {
        return bookKeeper.newDeleteLedgerOp().withLedgerId(ledgerId).execute();
    }

    public LedgerMetadata metadata(long ledgerId, Deadline deadline) throws ExecutionException, TimeoutException {
        return Waits.result(bookKeeper.getLedgerManager().readLedgerMetadata(ledgerId), deadline)
                .getValue();
    }

    /** The policy a ledger was made with; never changes in its life. */
    public QuorumPolicy quorum(long ledgerId, Deadline deadline) {
        QuorumPolicy known = quorums.get(ledgerId);
        if (known != null) {
            return known;
        }
        try {
            LedgerMetadata metadata = metadata(ledgerId, deadline);
            var policy = new QuorumPolicy(
                    metadata.getEnsembleSize(), metadata.getWriteQuorumSize(), metadata.getAckQuorumSize());
            if (quorums.size() > METADATA_CACHE_MAX) {
                quorums.clear();
            }
            quorums.put(ledgerId, policy);
            return policy;
        } catch (ExecutionException | TimeoutException e) {
            throw new KeptlogException(
                    ErrorCode.QUORUM_UNAVAILABLE,
                    "Ledger " + ledgerId + " cannot be looked up now: " + Waits.unwrap(e));
        }
    }

    /** Which bookies there are. */
    public Bookies bookies() {
        return bookies;
    }

    /** Bookies that take new ledgers, as the metadata store lists them. */
    public Set<String> writableBookies(Deadline deadline) {
        return bookies.writable(deadline);
    }

    /** How long they take to answer this client. */
    public BookieLatencies latencies() {
        return latencies;
    }

    /** Ensembles of a ledger: first entry → bookies. */
    public static Map<Long, List<String>> ensembles(LedgerMetadata metadata) {
        var found = new TreeMap<Long, List<String>>();
        metadata.getAllEnsembles()
                .forEach((first, bookies) -> found.put(
                        first, bookies.stream().map(BookieId::toString).toList()));
        return found;
    }

    /** Ends every managed ledger's use of this process; what is not closed is recovered by the next owner. */
    @Override
    public void close() {
        try {
            managedLedgers.shutdown();
            bookKeeper.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ManagedLedgerException | BKException e) {
            LOG.info("The connection to the bookies ended unclean: {}", e.toString());
        }
    }
}
