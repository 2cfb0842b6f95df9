// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import java.time.Instant;
import java.time.InstantSource;

/** The contract's time: microseconds since the epoch. */
public final class Micros {
    private Micros() {}

    public static long now(InstantSource clock) {
        return of(clock.instant());
    }

    public static long of(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }
}
