// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.durability.DurabilityStrategies;
import io.keptlog.durability.DurabilityStrategy;
import io.keptlog.durability.PersistedStrategy;
import io.keptlog.durability.ReplicatedStrategy;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One strategy per durability level; a topic's policy chooses among them. */
@Configuration(proxyBeanMethods = false)
class DurabilityWiring {
    @Bean
    DurabilityStrategy replicatedStrategy() {
        return new ReplicatedStrategy();
    }

    @Bean
    DurabilityStrategy persistedStrategy() {
        return new PersistedStrategy();
    }

    @Bean
    DurabilityStrategies durabilityStrategies(List<DurabilityStrategy> strategies) {
        return new DurabilityStrategies(strategies);
    }
}
