// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.dev;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.bookkeeper.bookie.SortedLedgerStorage;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;

/**
 * One bookie on this machine with its journal and ledgers in a directory; its admin port serves heartbeat, configuration and metrics.
 * Small buffers, so that several fit on one machine; its journal is synced before it answers, as in production.
 */
public final class LocalBookie implements AutoCloseable {
    private final EmbeddedServer server;
    private final String host;
    private final int port;

    /**
     * @param metadataUri for example {@code zk+hierarchical://127.0.0.1:2181/ledgers}
     * @param port 0 = any free one
     * @param journalSync false only to show what brokers say about such a bookie
     */
    public LocalBookie(String metadataUri, Path directory, int port, boolean journalSync) throws Exception {
        this(metadataUri, directory, "127.0.0.1", port, journalSync);
    }

    /**
     * @param host an address of this machine, under which brokers reach it
     */
    public LocalBookie(String metadataUri, Path directory, String host, int port, boolean journalSync)
            throws Exception {
        Files.createDirectories(directory);
        this.host = host;
        this.port = port == 0 ? freePort() : port;
        ServerConfiguration conf = configuration(metadataUri, directory, host, this.port);
        conf.setJournalSyncData(journalSync);
        server = EmbeddedServer.builder(new BookieConfiguration(conf)).build();
        server.getLifecycleComponentStack().start();
    }

    private static ServerConfiguration configuration(String metadataUri, Path directory, String host, int port)
            throws Exception {
        var conf = new ServerConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        conf.setBookiePort(port);
        conf.setAdvertisedAddress(host);
        conf.setListeningInterface(null);
        conf.setAllowLoopback(true);
        conf.setJournalDirName(directory.resolve("journal").toString());
        conf.setLedgerDirNames(new String[] {directory.resolve("ledgers").toString()});
        conf.setLedgerStorageClass(SortedLedgerStorage.class.getName());
        // Several JVMs start at once on a small machine: a shorter session would end in the crowd.
        conf.setZkTimeout(10_000);
        // It would look into the JDK's file descriptors for it, which are closed to it.
        conf.setJournalRemovePagesFromCache(false);
        // Answers as soon as the journal is synced and its queue is empty, instead of waiting for a group.
        conf.setJournalFlushWhenQueueEmpty(true);
        conf.setProperty("journalPreAllocSizeMB", 4);
        conf.setJournalWriteBufferSizeKB(256);
        conf.setMaxJournalSizeMB(64);
        conf.setEntryLogSizeLimit(64L << 20);
        conf.setSkipListSizeLimit(8 << 20);
        conf.setWriteBufferBytes(256 << 10);
        conf.setNumAddWorkerThreads(1);
        conf.setNumReadWorkerThreads(2);
        conf.setNumHighPriorityWorkerThreads(1);
        conf.setServerNumIOThreads(2);
        conf.setDiskUsageThreshold(0.99f);
        conf.setDiskUsageWarnThreshold(0.98f);
        conf.setProperty("allowStorageExpansion", true);
        conf.setHttpServerEnabled(true);
        conf.setHttpServerPort(freePort());
        conf.setProperty("httpServerHost", host);
        conf.setProperty("httpServerClass", BookieAdminServer.class.getName());
        conf.setStatsProviderClass(org.apache.bookkeeper.stats.prometheus.PrometheusMetricsProvider.class);
        conf.setProperty("prometheusStatsHttpEnable", false);
        return conf;
    }

    /** Makes the cluster's root in the metadata store; does nothing when it is there. */
    public static void format(String metadataUri) throws Exception {
        var conf = new ServerConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        if (!BookKeeperAdmin.initNewCluster(conf)) {
            throw new IllegalStateException("the cluster's root cannot be made at " + metadataUri);
        }
    }

    public int port() {
        return port;
    }

    /** How brokers know it. */
    public String id() {
        return host + ":" + port;
    }

    /** Takes no requests until it is resumed, as a frozen one; it stays registered. */
    public void suspend() {
        server.getBookieService().getServer().suspendProcessing();
    }

    public void resume() {
        server.getBookieService().getServer().resumeProcessing();
    }

    @Override
    public void close() {
        server.getLifecycleComponentStack().close();
    }

    private static int freePort() throws java.io.IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
