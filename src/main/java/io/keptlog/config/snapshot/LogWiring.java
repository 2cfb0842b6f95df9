// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config.snapshot;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The memory of the log, made before the store so that it holds what recovery says. */
@Configuration(proxyBeanMethods = false)
class LogWiring {
    @Bean
    static RecentLog recentLog() {
        return RecentLog.attach();
    }
}
