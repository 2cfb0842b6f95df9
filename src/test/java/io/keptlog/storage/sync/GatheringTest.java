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
}
