// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.dev;

import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.replication.AutoRecoveryMain;

/**
 * Finds ledgers with copies on lost bookies and makes the copies again. In a process of its own: it ends with its ZooKeeper session, and a
 * bookie in the same process would end with it.
 */
public final class LocalAutoRecovery implements AutoCloseable {
    private final AutoRecoveryMain main;

    public LocalAutoRecovery(String metadataUri) throws Exception {
        var conf = new ServerConfiguration();
        conf.setMetadataServiceUri(metadataUri);
        conf.setZkTimeout(10_000);
        conf.setHttpServerEnabled(false);
        conf.setAllowLoopback(true);
        conf.setAdvertisedAddress("127.0.0.1");
        main = new AutoRecoveryMain(conf);
        main.start();
    }

    public boolean running() {
        return main.isAutoRecoveryRunning();
    }

    @Override
    public void close() {
        main.shutdown();
    }
}
