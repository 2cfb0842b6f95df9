// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.health;

import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.service.system.DiskWatch;
import java.util.Locale;
import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** {@code disk}: what the disk can be believed. Always UP: a disk that cannot be believed serves as well as another. */
@Component
class DiskHealthIndicator implements HealthIndicator {
    private final DiskWatch disk;

    DiskHealthIndicator(DiskWatch disk) {
        this.disk = disk;
    }

    @Override
    public Health health() {
        Optional<DiskTruth> truth = disk.last();
        Health.Builder up = Health.up();
        truth.ifPresent(seen -> up.withDetail("verdict", seen.verdict().name().toLowerCase(Locale.ROOT))
                .withDetail("file_system", seen.fileSystem())
                .withDetail(
                        "doubts", seen.doubts().stream().map(d -> d.reason()).toList()));
        return up.build();
    }
}
