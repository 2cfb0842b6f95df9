// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.metrics.ClusterMeters;
import io.keptlog.storage.Replication;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the meters every few seconds what is known of copies and bookies; a scrape asks nobody. */
final class ClusterWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    private final Replication replication;
    private final ClusterMeters meters;
    private final ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("cluster-gauges").factory());

    ClusterWatch(Replication replication, ClusterMeters meters) {
        this.replication = replication;
        this.meters = meters;
    }

    void start() {
        var unused =
                schedule.scheduleWithFixedDelay(this::look, 0, Limits.AT_RISK_GAUGES_EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            meters.showStreams(replication.streamDepths());
            meters.showBookies(replication.bookies());
        } catch (KeptlogException e) {
            LOG.debug("the gauges of the cluster stay as they were: {}", e.reason());
        } catch (RuntimeException e) {
            // The schedule would end with it.
            LOG.warn("the gauges of the cluster could not be renewed", e);
        }
    }

    @Override
    public void close() {
        schedule.shutdownNow();
    }
}
