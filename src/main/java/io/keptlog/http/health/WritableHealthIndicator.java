// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.health;

import io.keptlog.service.HealthService;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** {@code writable}: UP while any partition can be written. Decides the readiness of the server. */
@Component
class WritableHealthIndicator implements HealthIndicator {
    private final HealthService health;

    WritableHealthIndicator(HealthService health) {
        this.health = health;
    }

    @Override
    public Health health() {
        return health.isWritable() ? Health.up().build() : Health.down().build();
    }
}
