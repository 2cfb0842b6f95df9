// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * What a power cut could take right now: appended, not yet synced.
 *
 * @param ageMillis time since the oldest unsynced append, 0 when there is none
 */
public record AtRisk(long messages, long bytes, long ageMillis) {
    public static final AtRisk NOTHING = new AtRisk(0, 0, 0);

    public AtRisk plus(AtRisk other) {
        return new AtRisk(messages + other.messages, bytes + other.bytes, Math.max(ageMillis, other.ageMillis));
    }
}
