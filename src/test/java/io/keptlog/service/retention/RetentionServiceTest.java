// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.retention;

import static io.keptlog.service.ServiceFixture.batch;
import static io.keptlog.service.ServiceFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.service.Refusal;
import io.keptlog.service.ServiceFixture;
import io.keptlog.service.offset.ConsumerIds;
import io.keptlog.service.option.TopicSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetentionServiceTest {
    private static final String MEBIBYTE = "x".repeat(1 << 20);
    private final ServiceFixture server = new ServiceFixture();

    /** Three sealed segments of two messages, an hour apart, and an active one. */
    private void aLogOfThreeHours(Map<String, String> options) {
        server.aTopic(1, options);
        for (int i = 0; i < 3; i++) {
            produce("a", "b");
            server.log(0).roll();
            server.passes(Duration.ofHours(1));
        }
        produce("active");
    }

    private void produce(String... payloads) {
        server.produce.produce(id(0), id(0), new Partitioning.PartitionId(0), batch(payloads), null);
    }

    private long first() {
        return server.log(0).status().firstOffset();
    }

    @Test
    void segmentsWhoseNewestMessageIsOldEnoughGo() {
        aLogOfThreeHours(Map.of("message_expiry", "90 min"));
        server.retention.round();
        assertThat(first()).isEqualTo(4);
        assertThat(server.log(0).status().endOffset()).isEqualTo(7);
    }

    @Test
    void theActiveSegmentIsNeverTouched() {
        aLogOfThreeHours(Map.of("message_expiry", "1 min"));
        server.passes(Duration.ofDays(30));
        server.retention.round();
        assertThat(first()).isEqualTo(6);
        assertThat(server.log(0).status().segments()).isEqualTo(1);
    }

    @Test
    void withoutALimitEverythingIsKept() {
        aLogOfThreeHours(Map.of());
        server.passes(Duration.ofDays(3650));
        server.retention.round();
        assertThat(first()).isZero();
    }

    @Test
    void aSegmentThatAStoredOffsetStillNeedsIsKept() {
        aLogOfThreeHours(Map.of("message_expiry", "1 min"));
        server.offsetStore.store(server.log(0).spec(), ConsumerIds.DEFAULT, 2);
        server.retention.round();
        assertThat(first()).isEqualTo(2);
        server.offsetStore.store(server.log(0).spec(), ConsumerIds.DEFAULT, 3);
        server.retention.round();
        assertThat(first()).isEqualTo(4);
        server.offsetStore.delete(server.log(0).spec(), ConsumerIds.DEFAULT);
        server.retention.round();
        assertThat(first()).isEqualTo(6);
    }

    @Test
    void sealedBytesBeyondAPartitionsShareGoAndTheActiveOnesDoNotCount() {
        server.aTopic(2, Map.of("max_topic_size", "4 MiB", "segment_size", "1 MiB"));
        for (int i = 0; i < 3; i++) {
            produce(MEBIBYTE);
            server.log(0).roll();
        }
        produce(MEBIBYTE);
        server.retention.round();
        assertThat(first()).isEqualTo(2);
        assertThat(server.log(1).status().firstOffset()).isZero();
    }

    @Test
    void anUpdatedLimitCountsFromTheNextRoundOn() {
        aLogOfThreeHours(Map.of());
        server.topics.update(
                id(0), id(0), "events", new TopicSettings(null, null, null, Map.of("message_expiry", "30 min")));
        server.retention.round();
        assertThat(first()).isEqualTo(6);
    }

    @Test
    void theOldestSegmentsGoOnRequestAsFarAsConsumersHaveCome() {
        aLogOfThreeHours(Map.of());
        server.retention.deleteOldest(id(0), id(0), 0, 1);
        assertThat(first()).isEqualTo(2);
        server.offsetStore.store(server.log(0).spec(), ConsumerIds.DEFAULT, 3);
        server.retention.deleteOldest(id(0), id(0), 0, 4294967295L);
        assertThat(first()).isEqualTo(4);
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> server.retention.deleteOldest(id(0), id(0), 1, 1));
    }
}
