// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.http.edge.AllowedOrigins;
import io.keptlog.http.edge.ConnectionRules;
import io.keptlog.http.edge.HttpLimits;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What the HTTP edge needs of the settings. */
@Configuration(proxyBeanMethods = false)
class HttpWiring {
    private static final String MAX_CONNECTIONS = "server.tomcat.max-connections";

    @Bean
    HttpLimits httpLimits(KeptlogProperties properties) {
        return new HttpLimits(
                properties.maxRequestBody().toBytes(),
                properties.bytesInFlight(),
                properties.maxWritesInFlightPerUser());
    }

    @Bean
    ConnectionRules connectionRules(KeptlogProperties properties, Environment environment) {
        int connections = environment.getProperty(
                MAX_CONNECTIONS, Integer.class, HeapShares.ofThisProcess().connections());
        Integer perAddress = properties.maxConnectionsPerAddress();
        // Three quarters of all, so that the others stay free for others.
        return new ConnectionRules(
                connections,
                perAddress != null ? perAddress : Math.max(1, connections * 3 / 4),
                properties.accessLog());
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
