// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.live;

/**
 * How many streams and waiting polls there may be at once.
 *
 * @param readers of the server
 * @param readersPerUser of one user
 */
public record LiveLimits(int readers, int readersPerUser) {
    public LiveLimits {
        if (readers < 1 || readersPerUser < 1) {
            throw new IllegalArgumentException(readers + " live readers, " + readersPerUser + " per user");
        }
    }
}
