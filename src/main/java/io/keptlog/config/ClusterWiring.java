// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.access.SigningKey;
import io.keptlog.cluster.ClusterSettings;
import io.keptlog.cluster.ClusterStore;
import io.keptlog.cluster.client.RackPolicy;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.metrics.ClusterMeters;
import io.keptlog.metrics.ServiceMeters;
import io.keptlog.metrics.StoreMeters;
import io.keptlog.service.HealthService;
import io.keptlog.service.catalog.Removals;
import io.keptlog.service.retention.RetentionService;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.Replication;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The store of a cluster. Without {@code keptlog.cluster.metadata-uri} nothing of it is loaded. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(SingleNode.METADATA_URI)
class ClusterWiring {
    /** Closed by its parts' life cycle and at last by the context. */
    @Bean(destroyMethod = "close")
    ClusterStore clusterStore(KeptlogProperties properties, Environment environment) {
        return ClusterStore.open(settings(properties, environment));
    }

    static ClusterSettings settings(KeptlogProperties properties, Environment environment) {
        KeptlogProperties.Cluster cluster = properties.cluster();
        String uri = Objects.requireNonNull(cluster.metadataUri());
        String http = cluster.advertisedAddress() != null
                ? cluster.advertisedAddress()
                : environment.getProperty("server.address", "127.0.0.1") + ":"
                        + environment.getProperty("server.port", "3000");
        try {
            return new ClusterSettings(
                    uri,
                    cluster.bookkeeperUri() != null ? cluster.bookkeeperUri() : ClusterSettings.bookKeeperUri(uri),
                    cluster.brokerName() != null ? cluster.brokerName() : http,
                    http,
                    cluster.peerHost(),
                    cluster.peerPort(),
                    new QuorumPolicy(cluster.ensembleSize(), cluster.writeQuorum(), cluster.ackQuorum()),
                    cluster.sessionTimeout(),
                    properties.writeTimeout(),
                    cluster.pendingBytes().toBytes(),
                    cluster.auditRate().toBytes(),
                    new RackPolicy(cluster.minRacksPerWriteQuorum(), cluster.enforceMinRacks()));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationRefused("keptlog.cluster: " + e.getMessage() + ".");
        }
    }

    @Bean
    Catalog catalog(ClusterStore store) {
        return store.catalog();
    }

    @Bean
    PartitionLogs partitionLogs(ClusterStore store) {
        return store.logs();
    }

    @Bean
    OffsetStore offsetStore(ClusterStore store) {
        return store.offsets();
    }

    @Bean
    RecoveryReports recoveryReports(ClusterStore store) {
        return store.reports();
    }

    @Bean
    Replication replication(ClusterStore store) {
        return store.replication();
    }

    @Bean(initMethod = "start")
    ClusterWatch clusterWatch(
            ClusterStore store, Replication replication, MeterRegistry registry, ServiceMeters service) {
        service.alsoUnderPulsarsName();
        var meters = new ClusterMeters(registry);
        meters.watchPending(store::pendingBytes);
        return new ClusterWatch(replication, meters);
    }

    /** All brokers sign with one key, so that a token of one is good at every other. */
    @Bean
    SigningKey signingKey(ClusterStore store) {
        return new SigningKey(new SecretKeySpec(store.secret("jwt"), "HmacSHA256"));
    }

    @Bean
    StopOutcome stopOutcome() {
        return new StopOutcome();
    }

    @Bean
    StoreLifecycle storeLifecycle(
            RetentionService retention,
            Removals removals,
            PartitionLogs logs,
            OffsetStore offsets,
            Catalog catalog,
            StopOutcome outcome) {
        return new StoreLifecycle(List.of(retention, removals), logs, offsets, catalog, outcome);
    }

    @Bean
    SmartInitializingSingleton storeGauges(StoreMeters meters, PartitionLogs logs, HealthService health) {
        return () -> meters.watch(
                logs::atRisk, () -> logs.all().size(), () -> health.faults().size());
    }
}
