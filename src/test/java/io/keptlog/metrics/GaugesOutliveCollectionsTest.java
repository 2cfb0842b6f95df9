// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Micrometer holds an object that it is given weakly; what is only in a registration is collected, and its gauge is NaN. */
class GaugesOutliveCollectionsTest {
    @Test
    void liveReadersAreCountedAfterACollection() {
        var registry = new SimpleMeterRegistry();
        var readers = new AtomicInteger(3);
        new ServiceMeters(registry).liveReaders(readers::get);
        collect();
        assertThat(registry.get("keptlog.live.readers").gauge().value()).isEqualTo(3);
    }

    private static void collect() {
        var canary = new WeakReference<>(new Object());
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return canary.get() == null;
        });
    }
}
