// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.util.concurrent.TimeUnit;

/** Pauses between tries: each twice as long as the one before it, up to a bound. Used by one thread. */
public final class Backoff {
    private final long firstMillis;
    private final long maxMillis;
    private long nextMillis;

    public Backoff(long firstMillis, long maxMillis) {
        this.firstMillis = firstMillis;
        this.maxMillis = maxMillis;
        this.nextMillis = firstMillis;
    }

    /**
     * @param atLeastMillis what the server asked for
     */
    public void pause(long atLeastMillis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(Math.max(atLeastMillis, nextMillis));
        nextMillis = Math.min(maxMillis, nextMillis * 2);
    }

    public void reset() {
        nextMillis = firstMillis;
    }
}
