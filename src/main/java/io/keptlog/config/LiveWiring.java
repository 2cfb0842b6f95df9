// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.message.BufferPool;
import io.keptlog.http.codec.EventWriter;
import io.keptlog.http.live.LiveSettings;
import io.keptlog.metrics.ServiceMeters;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.service.live.LiveLimits;
import io.keptlog.service.live.LiveReads;
import io.keptlog.service.live.LongPolls;
import io.keptlog.service.live.Vigils;
import io.keptlog.service.message.PollService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Streams and polls that wait. */
@Configuration(proxyBeanMethods = false)
class LiveWiring {
    @Bean
    Vigils vigils(KeptlogProperties properties, ServiceMeters meters) {
        var vigils = new Vigils(
                new LiveLimits(properties.live().readers(), properties.live().readersPerUser()));
        meters.liveReaders(vigils::count);
        return vigils;
    }

    @Bean
    LiveReads liveReads(PollService polls, OpenLogs openLogs, Vigils vigils) {
        return new LiveReads(polls, openLogs, vigils);
    }

    @Bean
    LongPolls longPolls(PollService polls, Vigils vigils) {
        return new LongPolls(polls, vigils);
    }

    @Bean
    EventWriter eventWriter(BufferPool pool) {
        return new EventWriter(pool);
    }

    @Bean
    LiveSettings liveSettings(KeptlogProperties properties) {
        return new LiveSettings(properties.live().heartbeat(), properties.live().stallTimeout());
    }

    @Bean
    LiveLifecycle liveLifecycle(Vigils vigils) {
        return new LiveLifecycle(vigils);
    }
}
