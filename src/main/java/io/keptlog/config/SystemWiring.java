// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import com.github.benmanes.caffeine.cache.Ticker;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.http.codec.PollJsonWriter;
import io.keptlog.http.codec.ProduceCodec;
import io.keptlog.http.codec.RawPollWriter;
import io.keptlog.metrics.RequestTimes;
import io.keptlog.metrics.ServiceMeters;
import io.keptlog.metrics.StoreMeters;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.service.system.ClientRegistry;
import io.keptlog.service.system.DiskWatch;
import io.keptlog.service.system.ExplainService;
import io.keptlog.service.system.HostProbe;
import io.keptlog.service.system.RequestCount;
import io.keptlog.service.system.StatsService;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.Replication;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.DispatcherType;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Meters, statistics, the codecs of the hot path, and what stands around every request. */
@Configuration(proxyBeanMethods = false)
class SystemWiring {
    @Bean
    StoreMeters storeMeters(MeterRegistry registry) {
        return new StoreMeters(registry);
    }

    @Bean
    ServiceMeters serviceMeters(MeterRegistry registry) {
        return new ServiceMeters(registry);
    }

    @Bean
    FilterRegistrationBean<ServerHttpObservationFilter> requestTimes(
            ObservationRegistry observations, MeterRegistry registry) {
        FilterRegistrationBean<ServerHttpObservationFilter> registration =
                new FilterRegistrationBean<>(new RequestTimes(observations, registry));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return registration;
    }

    /** The dispatcher does what it does, and nothing before the dispatcher asks for it. */
    @Bean
    FilterRegistrationBean<RequestContextFilter> requestContextFilter() {
        var registration = new FilterRegistrationBean<>(new RequestContextFilter());
        registration.setEnabled(false);
        return registration;
    }

    @Bean
    RequestCount requestCount(ServiceMeters meters) {
        return meters::httpRequests;
    }

    @Bean
    ReadyNote readyNote(KeptlogProperties properties, DiskWatch disk, RecoveryService recovery) {
        return new ReadyNote(properties, disk, recovery);
    }

    @Bean
    ClientRegistry clientRegistry() {
        return new ClientRegistry(Ticker.systemTicker());
    }

    @Bean
    HostProbe hostProbe(KeptlogProperties properties, InstantSource clock) {
        return new LocalHostProbe(properties.dataDir(), clock);
    }

    @Bean
    StatsService statsService(Catalog catalog, OpenLogs openLogs, ClientRegistry clients, HostProbe host) {
        return new StatsService(catalog, openLogs, clients, host);
    }

    @Bean
    ExplainService explainService(
            Catalog catalog, OpenLogs openLogs, Optional<Replication> replication, DiskWatch disk) {
        return new ExplainService(catalog, openLogs, replication, disk);
    }

    @Bean
    BufferPool bufferPool() {
        return new BufferPool(HeapShares.ofThisProcess().pooledClassBytes());
    }

    @Bean
    ProduceCodec produceCodec(KeptlogProperties properties, BufferPool pool, InstantSource clock) {
        return new ProduceCodec((int) properties.maxRequestBody().toBytes(), pool, clock);
    }

    @Bean
    PollJsonWriter pollJsonWriter(BufferPool pool) {
        return new PollJsonWriter(pool);
    }

    @Bean
    RawPollWriter rawPollWriter(BufferPool pool) {
        return new RawPollWriter(pool);
    }

    @Bean
    WebMvcConfigurer aroundEveryRequest(ObjectProvider<HandlerInterceptor> interceptors) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                interceptors.orderedStream().forEach(registry::addInterceptor);
            }
        };
    }
}
