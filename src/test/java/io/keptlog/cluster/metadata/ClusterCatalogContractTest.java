// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.dev.LocalZooKeeper;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.CatalogContract;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalog of a cluster keeps the contract, also when two brokers change it at once. */
class ClusterCatalogContractTest extends CatalogContract {
    @TempDir
    static Path directory;

    private static LocalZooKeeper zooKeeper;
    private static Metadata metadata;
    private ClusterCatalog catalog;

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = new LocalZooKeeper(directory, 0);
        metadata = new Metadata("zk:127.0.0.1:" + zooKeeper.port(), 6_000);
    }

    @AfterAll
    static void stop() {
        metadata.close();
        zooKeeper.close();
    }

    @BeforeEach
    void empty() {
        metadata.delete("/keptlog/catalog");
        catalog = new ClusterCatalog(metadata, InstantSource.system(), () -> {});
    }

    @Override
    protected Catalog catalog() {
        return catalog;
    }

    @Override
    protected Catalog reopened() {
        catalog = new ClusterCatalog(metadata, InstantSource.system(), () -> {});
        return catalog;
    }

    @Test
    void twoBrokersNeverDecideOnTheSameState() throws Exception {
        var other = new ClusterCatalog(metadata, InstantSource.system(), () -> {});
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 30; i++) {
                String name = "both" + i;
                ClusterCatalog through = i % 2 == 0 ? catalog : other;
                made.add(pool.submit(() -> through.change(s -> stream(s, name)).streamId()));
            }
            var ids = new ArrayList<Integer>();
            for (Future<Integer> id : made) {
                ids.add(id.get(60, TimeUnit.SECONDS));
            }
            assertThat(ids).doesNotHaveDuplicates();
        }
        assertThat(catalog.refresh().streams()).hasSize(30);
        assertThat(other.refresh().streams()).hasSize(30);
    }
}
