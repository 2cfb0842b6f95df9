// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.domain.Limits;
import java.time.Clock;
import java.time.Duration;

/**
 * How logs on ledgers behave.
 *
 * @param recentBytes newest frames that each partition keeps in memory
 * @param ledgerAgeMillis an open ledger with entries is rolled after this long
 */
public record LedgerSettings(
        long recentBytes, long ledgerAgeMillis, Duration readTimeout, Duration openTimeout, Clock clock) {
    public static final LedgerSettings DEFAULT = new LedgerSettings(
            Limits.RECENT_FRAMES_DEFAULT_BYTES,
            Limits.LEDGER_AGE_MAX_MILLIS,
            Duration.ofMillis(Limits.LEDGER_READ_MAX_MILLIS),
            Duration.ofMillis(Limits.LEDGER_OPEN_MAX_MILLIS),
            Clock.systemUTC());
}
