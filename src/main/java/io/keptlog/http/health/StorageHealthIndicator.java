// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.health;

import io.keptlog.domain.Fault;
import io.keptlog.service.HealthService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** {@code storage}: DOWN while anything is fenced or damaged, each with its component and reason. */
@Component
class StorageHealthIndicator implements HealthIndicator {
    /** A reply names at most this many; the count is always told. */
    private static final int FAULTS_SHOWN_MAX = 100;

    private final HealthService health;

    StorageHealthIndicator(HealthService health) {
        this.health = health;
    }

    @Override
    public Health health() {
        List<Fault> faults = health.faults();
        if (faults.isEmpty()) {
            return Health.up().build();
        }
        Map<String, String> shown = new LinkedHashMap<>();
        faults.stream().limit(FAULTS_SHOWN_MAX).forEach(f -> shown.put(f.component(), f.reason()));
        return Health.down()
                .withDetail("count", faults.size())
                .withDetail("faults", shown)
                .build();
    }
}
