// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.service.HealthService;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What does not work, over all stores. */
@Configuration(proxyBeanMethods = false)
class HealthWiring {
    @Bean
    HealthService healthService(Catalog catalog, PartitionLogs logs, OffsetStore offsets) {
        return new HealthService(catalog, logs, offsets);
    }
}
