// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.ServiceObserver;
import io.keptlog.durability.DurabilityStrategies;
import io.keptlog.service.catalog.Directory;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.service.catalog.PartitionMaker;
import io.keptlog.service.catalog.PartitionService;
import io.keptlog.service.catalog.Removals;
import io.keptlog.service.catalog.StreamService;
import io.keptlog.service.catalog.TopicService;
import io.keptlog.service.catalog.Views;
import io.keptlog.service.cluster.ClusterService;
import io.keptlog.service.message.BarrierService;
import io.keptlog.service.message.Partitioner;
import io.keptlog.service.message.PollService;
import io.keptlog.service.message.ProduceService;
import io.keptlog.service.offset.GroupService;
import io.keptlog.service.offset.OffsetService;
import io.keptlog.service.option.OptionsCatalog;
import io.keptlog.service.option.StreamOptions;
import io.keptlog.service.retention.RetentionService;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.Replication;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The use cases on top of a store, whichever it is. */
@Configuration(proxyBeanMethods = false)
class ServiceWiring {
    @Bean
    OpenLogs openLogs(PartitionLogs logs) {
        return new OpenLogs(logs);
    }

    @Bean
    Views views(OpenLogs openLogs) {
        return new Views(openLogs);
    }

    @Bean
    Directory directory(Catalog catalog) {
        return new Directory(catalog);
    }

    @Bean
    PartitionMaker partitionMaker(Catalog catalog, PartitionLogs logs, OpenLogs openLogs) {
        return new PartitionMaker(catalog, logs, openLogs, new SecureRandom());
    }

    @Bean(initMethod = "start")
    Removals removals(Catalog catalog, PartitionLogs logs, OffsetStore offsets) {
        return new Removals(
                catalog, logs, offsets, Thread.ofPlatform().name("removals").factory());
    }

    @Bean
    StreamOptions streamOptions(Optional<Replication> replication) {
        return new StreamOptions(replication.map(Replication::defaultPolicy));
    }

    @Bean
    StreamService streamService(
            Catalog catalog, Views views, Removals removals, InstantSource clock, StreamOptions streamOptions) {
        return new StreamService(catalog, views, removals, clock, streamOptions);
    }

    @Bean
    ClusterService clusterService(Catalog catalog, Optional<Replication> replication) {
        return new ClusterService(catalog, replication);
    }

    @Bean
    TopicService topicService(
            Catalog catalog, Views views, PartitionMaker maker, Removals removals, InstantSource clock) {
        return new TopicService(catalog, views, maker, removals, clock);
    }

    @Bean
    PartitionService partitionService(Catalog catalog, PartitionMaker maker, Removals removals, InstantSource clock) {
        return new PartitionService(catalog, maker, removals, clock);
    }

    @Bean
    Partitioner partitioner(Catalog catalog) {
        return new Partitioner(catalog);
    }

    @Bean
    ProduceService produceService(
            Catalog catalog,
            OpenLogs openLogs,
            Partitioner partitioner,
            DurabilityStrategies strategies,
            ServiceObserver observer,
            KeptlogProperties properties) {
        return new ProduceService(catalog, openLogs, partitioner, strategies, observer, properties.writeTimeout());
    }

    @Bean
    PollService pollService(
            Catalog catalog,
            OpenLogs openLogs,
            OffsetStore offsets,
            DurabilityStrategies strategies,
            ServiceObserver observer,
            KeptlogProperties properties) {
        return new PollService(catalog, openLogs, offsets, strategies, observer, properties.writeTimeout());
    }

    @Bean
    BarrierService barrierService(Catalog catalog, OpenLogs openLogs, KeptlogProperties properties) {
        return new BarrierService(catalog, openLogs, properties.writeTimeout());
    }

    @Bean
    OffsetService offsetService(
            Catalog catalog,
            OpenLogs openLogs,
            OffsetStore offsets,
            DurabilityStrategies strategies,
            KeptlogProperties properties) {
        return new OffsetService(catalog, openLogs, offsets, strategies, properties.writeTimeout());
    }

    @Bean
    GroupService groupService(Catalog catalog, OffsetStore offsets, InstantSource clock) {
        return new GroupService(catalog, offsets, clock);
    }

    @Bean
    OptionsCatalog optionsCatalog(Optional<Replication> replication) {
        return new OptionsCatalog(replication.map(Replication::defaultPolicy));
    }

    @Bean(initMethod = "start")
    RetentionService retentionService(
            Catalog catalog,
            OpenLogs openLogs,
            OffsetStore offsets,
            ServiceObserver observer,
            InstantSource clock,
            KeptlogProperties properties) {
        return new RetentionService(
                catalog,
                openLogs,
                offsets,
                observer,
                clock,
                Thread.ofPlatform().name("retention").factory(),
                properties.retentionInterval());
    }
}
