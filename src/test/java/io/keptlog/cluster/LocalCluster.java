// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.dev.LocalBookie;
import io.keptlog.cluster.dev.LocalZooKeeper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** ZooKeeper and bookies inside the test's JVM. */
public final class LocalCluster implements AutoCloseable {
    private final Path directory;
    private final LocalZooKeeper zooKeeper;
    private final List<LocalBookie> bookies = new ArrayList<>();

    public LocalCluster(Path directory, int bookieCount) throws Exception {
        this.directory = directory;
        zooKeeper = new LocalZooKeeper(directory.resolve("zookeeper"), 0);
        LocalBookie.format(bookKeeperUri());
        for (int i = 0; i < bookieCount; i++) {
            addBookie();
        }
    }

    public LocalBookie addBookie() throws Exception {
        return addBookie(true);
    }

    public LocalBookie addBookie(boolean journalSync) throws Exception {
        var bookie = new LocalBookie(bookKeeperUri(), directory(bookies.size()), 0, journalSync);
        bookies.add(bookie);
        return bookie;
    }

    /** What a bookie has on its disk. */
    public Path directory(int bookie) {
        return directory.resolve("bookie" + bookie);
    }

    /** A bookie that was closed comes back with its data, under its old address. */
    public void restart(int bookie) throws Exception {
        int port = bookies.get(bookie).port();
        bookies.set(bookie, new LocalBookie(bookKeeperUri(), directory(bookie), port, true));
    }

    public List<LocalBookie> bookies() {
        return bookies;
    }

    public String bookKeeperUri() {
        return "zk+hierarchical://127.0.0.1:" + zooKeeper.port() + "/ledgers";
    }

    public String metadataUri() {
        return "zk:127.0.0.1:" + zooKeeper.port();
    }

    @Override
    public void close() {
        bookies.forEach(LocalBookie::close);
        zooKeeper.close();
    }
}
