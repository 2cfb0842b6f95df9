// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.http.edge.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that a client can make the server hold fits its heap together. */
class HeapSharesTest {
    private static final long MIB = 1 << 20;
    /** What an idle server keeps alive. */
    private static final long SERVER_BYTES = 40 * MIB;

    private static final int SIZES_OF_ARRAYS = 17;

    @ParameterizedTest
    @ValueSource(longs = {198, 256, 512, 1024, 4096})
    void bodiesConnectionsAndThePoolFitBesideTheServer(long mebibytes) {
        var shares = new HeapShares(mebibytes * MIB);
        long bodies = shares.bodyBytes(Limits.REQUEST_BODY_DEFAULT_BYTES);
        long connections = (long) shares.connections() * Limits.CONNECTION_BYTES;
        long pooled = (long) SIZES_OF_ARRAYS * shares.pooledClassBytes();
        assertThat(bodies + connections + pooled + SERVER_BYTES).isLessThanOrEqualTo(mebibytes * MIB);
        assertThat(shares.liveReaders()).isLessThan(shares.connections());
        assertThat(shares.liveReadersPerUser()).isLessThan(shares.liveReaders());
    }

    @Test
    void aLargeHeapHasTheLimitsAndASmallOneOf512MebibytesHasTwoThousandReaders() {
        var large = new HeapShares(4096 * MIB);
        assertThat(large.connections()).isEqualTo(Limits.CONNECTIONS_MAX);
        assertThat(large.liveReaders()).isEqualTo(Limits.LIVE_READERS_DEFAULT);
        assertThat(large.liveReadersPerUser()).isEqualTo(Limits.LIVE_READERS_PER_USER_DEFAULT);
        assertThat(new HeapShares(495 * MIB).liveReadersPerUser()).isGreaterThan(2_100);
    }

    @Test
    void aBodyIsCountedWithTheArraysThatItTakes() {
        assertThat(HttpLimits.heldBy(1)).isEqualTo(2 * 16 * 1024);
        assertThat(HttpLimits.heldBy(1_370_000)).isEqualTo(3 * MIB);
        assertThat(new BufferPool().take(1_370_000)).hasSize((int) (3 * MIB / 2));
        assertThat(HttpLimits.heldBy(64_000_000)).isBetween(128_000_000L, 128_001_000L);
    }

    /** And a few more, because a body is counted a moment longer than until its sender has the answer. */
    @Test
    void aHeapOf256MebibytesHasRoomForBatchesOf1000MessagesFrom64Connections() {
        long bodyBytes = 370_000;
        assertThat(new HeapShares(256 * MIB).bodyBytes(Limits.REQUEST_BODY_DEFAULT_BYTES))
                .isGreaterThanOrEqualTo(72 * HttpLimits.heldBy(bodyBytes));
    }
}
