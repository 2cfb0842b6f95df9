// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Limits;
import org.junit.jupiter.api.Test;

class GatheringTest {
    private final Gathering gathering = new Gathering();

    @Test
    void aSingleWriterNeverWaitsForCompany() {
        assertThat(gathering.pauseNanos()).isZero();
        gathering.synced(1, 100_000);
        assertThat(gathering.pauseNanos()).isZero();
        gathering.synced(Limits.SYNC_CROWD, 100_000);
        gathering.synced(Limits.SYNC_CROWD - 1, 100_000);
        assertThat(gathering.pauseNanos()).as("the crowd is gone").isZero();
    }

    @Test
    void aCrowdIsWaitedForAsLongAsItsLastSyncTookAndNeverLongerThanAMillisecond() {
        gathering.synced(Limits.SYNC_CROWD, 100_000);
        assertThat(gathering.pauseNanos()).isEqualTo(100_000);
        gathering.synced(64, 300_000_000);
        assertThat(gathering.pauseNanos()).isEqualTo(1_000_000);
    }

    @Test
    void aSyncIsQuickWhenItTookAMillisecondAtMostAndReleasedNoCrowd() {
        assertThat(gathering.quick()).as("before the first").isFalse();
        gathering.synced(1, Limits.SYNC_QUICK_NANOS);
        assertThat(gathering.quick()).isTrue();
        gathering.synced(1, Limits.SYNC_QUICK_NANOS + 1);
        assertThat(gathering.quick()).isFalse();
        gathering.synced(Limits.SYNC_CROWD - 1, 1);
        assertThat(gathering.quick()).isTrue();
        gathering.synced(Limits.SYNC_CROWD, 1);
        assertThat(gathering.quick()).isFalse();
    }
}
