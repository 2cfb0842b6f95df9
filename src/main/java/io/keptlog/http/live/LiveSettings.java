// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.live;

import java.time.Duration;

/**
 * How streams behave.
 *
 * @param heartbeat a stream is silent no longer than this
 * @param stall how long a reader may take for what was written last before it is cut
 */
public record LiveSettings(Duration heartbeat, Duration stall) {
    public LiveSettings {
        if (heartbeat.isNegative() || heartbeat.isZero() || stall.isNegative() || stall.isZero()) {
            throw new IllegalArgumentException("heartbeat " + heartbeat + ", stall " + stall);
        }
    }
}
