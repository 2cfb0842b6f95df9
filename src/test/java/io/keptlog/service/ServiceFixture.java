// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.Identifier;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.ServiceObserver;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.durability.DurabilityStrategies;
import io.keptlog.durability.PersistedStrategy;
import io.keptlog.durability.ReplicatedStrategy;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.service.catalog.PartitionMaker;
import io.keptlog.service.catalog.PartitionService;
import io.keptlog.service.catalog.Removals;
import io.keptlog.service.catalog.StreamService;
import io.keptlog.service.catalog.TopicService;
import io.keptlog.service.catalog.TopicView;
import io.keptlog.service.catalog.Views;
import io.keptlog.service.message.BarrierService;
import io.keptlog.service.message.Partitioner;
import io.keptlog.service.message.PollService;
import io.keptlog.service.message.ProduceService;
import io.keptlog.service.offset.GroupService;
import io.keptlog.service.offset.OffsetService;
import io.keptlog.service.option.TopicSettings;
import io.keptlog.service.retention.RetentionService;
import io.keptlog.storage.InMemoryCatalog;
import io.keptlog.storage.InMemoryOffsetStore;
import io.keptlog.storage.InMemoryPartitionLog;
import io.keptlog.storage.InMemoryPartitionLogs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/** All use cases over doubles in memory, with a clock that tests turn by hand. */
public final class ServiceFixture {
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-30T10:00:00Z"));
    public final InstantSource clock = now::get;
    public final InMemoryCatalog catalog = new InMemoryCatalog();
    public final InMemoryPartitionLogs logs = new InMemoryPartitionLogs(() -> Micros.now(clock));
    public final InMemoryOffsetStore offsetStore = new InMemoryOffsetStore();
    public final DurabilityStrategies strategies =
            new DurabilityStrategies(List.of(new ReplicatedStrategy(), new PersistedStrategy()));
    public final OpenLogs openLogs = new OpenLogs(logs);
    public final Views views = new Views(openLogs);
    public final Removals removals =
            new Removals(catalog, logs, offsetStore, Thread.ofVirtual().factory());
    public final PartitionMaker maker = new PartitionMaker(catalog, logs, openLogs, RandomGenerator.getDefault());
    public final StreamService streams = new StreamService(catalog, views, removals, clock);
    public final TopicService topics = new TopicService(catalog, views, maker, removals, clock);
    public final PartitionService partitions = new PartitionService(catalog, maker, removals, clock);
    public final ProduceService produce =
            new ProduceService(catalog, openLogs, new Partitioner(catalog), strategies, ServiceObserver.NONE, TIMEOUT);
    public final PollService poll =
            new PollService(catalog, openLogs, offsetStore, strategies, ServiceObserver.NONE, TIMEOUT);
    public final BarrierService barrier = new BarrierService(catalog, openLogs, TIMEOUT);
    public final OffsetService offsets = new OffsetService(catalog, openLogs, offsetStore, strategies, TIMEOUT);
    public final GroupService groups = new GroupService(catalog, offsetStore, clock);
    public final RetentionService retention = new RetentionService(
            catalog,
            openLogs,
            offsetStore,
            ServiceObserver.NONE,
            clock,
            Thread.ofVirtual().factory(),
            Duration.ofHours(1));

    public void passes(Duration time) {
        now.updateAndGet(t -> t.plus(time));
    }

    public static Identifier id(long number) {
        return new Identifier.Numeric(number);
    }

    public static TopicSettings settings(Map<String, String> options) {
        return new TopicSettings("none", 0L, 0L, options);
    }

    /** Stream 0 "orders" with topic 0 "events". */
    public TopicView aTopic(int partitionsCount, Map<String, String> options) {
        streams.create("orders", Map.of());
        return topics.create(id(0), "events", partitionsCount, settings(options));
    }

    public InMemoryPartitionLog log(int partition) {
        return logs.find(new PartitionRef(0, 0, partition));
    }

    /** A batch of these payloads. */
    public static MessageBatch batch(String... payloads) {
        var builder = new BatchBuilder(new BufferPool(), 1024);
        for (int i = 0; i < payloads.length; i++) {
            builder.begin();
            byte[] payload = payloads[i].getBytes(StandardCharsets.UTF_8);
            builder.payload(payload, 0, payload.length);
            builder.end(0, i + 1, 0);
        }
        return builder.build();
    }
}
