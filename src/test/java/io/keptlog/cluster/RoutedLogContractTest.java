// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Limits;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.storage.IdempotentAppendContract;
import io.keptlog.storage.PartitionLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A partition of a cluster keeps the contract of every partition. */
@Tag("long")
class RoutedLogContractTest extends IdempotentAppendContract {
    @TempDir
    static Path directory;

    private static LocalCluster cluster;
    private static ClusterStore store;

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(directory, 3);
        store = ClusterStore.open(new ClusterSettings(
                cluster.metadataUri(),
                cluster.bookKeeperUri(),
                "broker",
                "127.0.0.1:1",
                "127.0.0.1",
                0,
                QuorumPolicy.DEFAULT,
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                Limits.LEDGER_PENDING_DEFAULT_BYTES));
    }

    @AfterAll
    static void stop() {
        store.close();
        cluster.close();
    }

    @Override
    protected PartitionLog create(LogOptions options) {
        int stream = store.catalog()
                .change(s ->
                        new CatalogChange.StreamCreated(s.nextStreamId(), 1, "stream" + s.nextStreamId(), Map.of()))
                .streamId();
        var topic = new TopicOptions(
                Compression.NONE,
                TopicOptions.NEVER,
                TopicOptions.UNLIMITED,
                options.segmentSizeBytes(),
                options.durability(),
                Durability.REPLICATED,
                options.messagesRequiredToSave(),
                options.sizeRequiredToSaveBytes(),
                options.preallocateSegments(),
                Set.of());
        var partition = new PartitionEntry(0, 1, ThreadLocalRandom.current().nextLong());
        var spec = new PartitionSpec(new PartitionRef(stream, 0, 0), partition.incarnation(), options);
        store.catalog()
                .change(
                        s -> new CatalogChange.TopicCreated(stream, 0, 1, "topic", topic, List.of(partition)),
                        c -> store.logs().prepare(List.of(spec)));
        store.logs().open(List.of(spec));
        return Objects.requireNonNull(store.logs().find(spec.ref()));
    }

    @Override
    protected void delete(PartitionLog log) {
        PartitionRef ref = log.spec().ref();
        store.catalog().change(s -> new CatalogChange.TopicDeleted(ref.streamId(), ref.topicId()));
        store.logs().remove(List.of(new Removal(ref, log.spec().incarnation())));
    }
}
