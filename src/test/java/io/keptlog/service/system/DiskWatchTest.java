// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.disk.DiskTruth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DiskWatchTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-30T10:00:00Z"));
    private final AtomicInteger looks = new AtomicInteger();
    private final CountDownLatch slow = new CountDownLatch(1);

    private DiskTruth look() {
        return new DiskTruth(now.get(), looks.incrementAndGet(), "ext4", null, null, true, 1, List.of());
    }

    private DiskTruth slowLook() {
        try {
            slow.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return look();
    }

    @Test
    void itIsLookedAtAgainOnlyWhenTheLastLookIsOlderThanAMinute() {
        DiskWatch watch = new DiskWatch(Optional.of(this::look), now::get, Thread::new);
        watch.awaitFirst(LONG);
        assertThat(watch.last().orElseThrow().tookMicros()).isEqualTo(1);
        now.set(now.get().plusSeconds(60));
        assertThat(watch.fresh().orElseThrow().tookMicros()).isEqualTo(1);
        now.set(now.get().plusSeconds(1));
        assertThat(watch.last().orElseThrow().tookMicros()).isEqualTo(1);
        assertThat(watch.fresh().orElseThrow().tookMicros()).isEqualTo(2);
        assertThat(watch.fresh().orElseThrow().tookMicros()).isEqualTo(2);
    }

    @Test
    void aSlowDiskHoldsNobodyUp() {
        DiskWatch watch = new DiskWatch(Optional.of(this::slowLook), now::get, Thread::new);
        watch.awaitFirst(Duration.ofMillis(1));
        assertThat(watch.last()).isEmpty();
        assertThat(watch.fresh()).isEmpty();
        slow.countDown();
        watch.awaitFirst(LONG);
        assertThat(watch.last()).isPresent();
    }

    @Test
    void whereThereIsNoDiskThereIsNothingToSay() {
        DiskWatch watch = new DiskWatch(Optional.empty(), now::get, Thread::new);
        watch.awaitFirst(LONG);
        assertThat(watch.last()).isEmpty();
        assertThat(watch.fresh()).isEmpty();
    }
}
