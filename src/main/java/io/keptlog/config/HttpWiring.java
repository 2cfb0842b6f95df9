// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.http.edge.AllowedOrigins;
import io.keptlog.http.edge.ConnectionRules;
import io.keptlog.http.edge.HttpLimits;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the HTTP edge needs of the settings. */
@Configuration(proxyBeanMethods = false)
class HttpWiring {
    @Bean
    HttpLimits httpLimits(KeptlogProperties properties) {
        return new HttpLimits(
                properties.maxRequestBody().toBytes(),
                properties.bytesInFlight(),
                properties.maxWritesInFlightPerUser());
    }

    @Bean
    ConnectionRules connectionRules(KeptlogProperties properties) {
        return new ConnectionRules(properties.maxConnectionsPerAddress(), properties.accessLog());
    }

    @Bean
    AllowedOrigins allowedOrigins(KeptlogProperties properties) {
        return new AllowedOrigins(properties.allowedOrigins());
    }

    @Bean
    InstantSource instantSource() {
        return InstantSource.system();
    }
}
