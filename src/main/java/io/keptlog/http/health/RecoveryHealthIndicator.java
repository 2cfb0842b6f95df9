// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.health;

import io.keptlog.domain.KeptReport;
import io.keptlog.service.RecoveryService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** {@code recovery}: reports that nobody has resolved. Always UP: what does not work now is told by {@code storage}. */
@Component
class RecoveryHealthIndicator implements HealthIndicator {
    /** A reply names at most this many, newest first; the count is always told. */
    private static final int REPORTS_SHOWN_MAX = 100;

    private final RecoveryService recovery;

    RecoveryHealthIndicator(RecoveryService recovery) {
        this.recovery = recovery;
    }

    @Override
    public Health health() {
        List<KeptReport> open = recovery.open();
        Map<String, String> shown = new LinkedHashMap<>();
        open.reversed().stream()
                .limit(REPORTS_SHOWN_MAX)
                .forEach(kept -> shown.put(Long.toString(kept.id()), line(kept)));
        return Health.up()
                .withDetail("open_reports", open.size())
                .withDetail("reports", shown)
                .build();
    }

    private static String line(KeptReport kept) {
        var partition = kept.report().partition();
        return (partition == null ? "" : "partition " + partition + ": ")
                + kept.report().detail();
    }
}
