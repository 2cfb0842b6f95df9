// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Limits;
import io.keptlog.service.live.Vigils;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The first thing of a graceful stop: whoever waits for messages is told and ends (requirements A11: within 2 s), so that the web server
 * need not wait for them.
 */
final class LiveLifecycle implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLifecycle.class);
    private static final long LOOK_EVERY_NANOS = 5_000_000;

    private final Vigils vigils;
    private volatile boolean running;

    LiveLifecycle(Vigils vigils) {
        this.vigils = vigils;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        var deadline = Deadline.inMillis(Limits.LIVE_STOP_MAX_MILLIS);
        vigils.stop();
        while (vigils.count() > 0 && !deadline.passed()) {
            LockSupport.parkNanos(this, LOOK_EVERY_NANOS);
        }
        if (vigils.count() > 0) {
            LOG.info("{} live readers did not take the news of the stop in time", vigils.count());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Above the web server's phases: starts after it, stops before it. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
