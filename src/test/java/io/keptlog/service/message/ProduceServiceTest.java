// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import static io.keptlog.service.ServiceFixture.batch;
import static io.keptlog.service.ServiceFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.service.Refusal;
import io.keptlog.service.ServiceFixture;
import io.keptlog.service.offset.ConsumerIds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProduceServiceTest {
    private final ServiceFixture server = new ServiceFixture();

    private Receipt produce(Partitioning partitioning, String... payloads) {
        return server.produce.produce(id(0), id(0), partitioning, batch(payloads), null);
    }

    @Test
    void aReplicatedTopicIsAcknowledgedFromThePageCacheWithoutASync() {
        server.aTopic(1, Map.of());
        Receipt receipt = produce(Partitioning.BALANCED, "a", "b");
        assertThat(receipt.partition()).isEqualTo(new PartitionRef(0, 0, 0));
        assertThat(receipt.baseOffset()).isZero();
        assertThat(receipt.endOffset()).isEqualTo(2);
        assertThat(receipt.evidence()).isEqualTo(Evidence.IN_PAGE_CACHE);
        assertThat(receipt.persistedEndOffset()).isZero();
        assertThat(server.log(0).syncs()).isZero();
    }

    @Test
    void aPersistedTopicIsAcknowledgedFromStableStorage() {
        server.aTopic(1, Map.of("durability", "persisted"));
        Receipt receipt = produce(Partitioning.BALANCED, "a", "b");
        assertThat(receipt.evidence()).isEqualTo(Evidence.ON_STABLE_STORAGE);
        assertThat(receipt.policy()).isEqualTo(Durability.PERSISTED);
        assertThat(receipt.persistedEndOffset()).isEqualTo(2);
        assertThat(server.log(0).syncs()).isEqualTo(1);
    }

    @Test
    void oneRequestMayAskForMoreThanItsTopicAndNotForLess() {
        server.aTopic(1, Map.of());
        Receipt raised = server.produce.produce(id(0), id(0), Partitioning.BALANCED, batch("a"), Durability.PERSISTED);
        assertThat(raised.evidence()).isEqualTo(Evidence.ON_STABLE_STORAGE);
        assertThat(raised.policy()).isEqualTo(Durability.REPLICATED);
        server.topics.create(id(0), "strict", 1, ServiceFixture.settings(Map.of("durability", "persisted")));
        Refusal.expect(
                ErrorCode.BAD_REQUEST,
                () -> server.produce.produce(id(0), id(1), Partitioning.BALANCED, batch("a"), Durability.REPLICATED));
    }

    @Test
    void withoutAnAckMessagesAreAppendedAndOnAPersistedTopicTheirSyncIsAskedFor() {
        server.aTopic(1, Map.of("durability", "persisted"));
        server.produce.dispatch(id(0), id(0), Partitioning.BALANCED, batch("a"));
        assertThat(server.log(0).status().endOffset()).isEqualTo(1);
        assertThat(server.log(0).syncs()).isZero();
        assertThat(server.log(0).kicks()).isEqualTo(1);
    }

    @Test
    void withoutAnAckAReplicatedTopicAsksForNothing() {
        server.aTopic(1, Map.of());
        server.produce.dispatch(id(0), id(0), Partitioning.BALANCED, batch("a"));
        assertThat(server.log(0).status().endOffset()).isEqualTo(1);
        assertThat(server.log(0).kicks()).isZero();
    }

    @Test
    void balancedRequestsTakeTurnsPerTopic() {
        server.aTopic(3, Map.of());
        server.topics.create(id(0), "other", 3, ServiceFixture.settings(Map.of()));
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            chosen.add(produce(Partitioning.BALANCED, "a", "b").partition().partitionId());
            server.produce.produce(id(0), id(1), Partitioning.BALANCED, batch("x"), null);
        }
        assertThat(chosen).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void aKeyChoosesItsPartitionByItsHash() {
        server.aTopic(5, Map.of());
        for (String key : List.of("a", "customer-17", "é", "\0")) {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            int expected = (int) (Integer.toUnsignedLong(ConsumerIds.hash(bytes)) % 5);
            assertThat(produce(new Partitioning.MessagesKey(bytes), "m")
                            .partition()
                            .partitionId())
                    .isEqualTo(expected);
        }
    }

    @Test
    void theHashIsXxh32WithSeedZero() {
        assertThat(ConsumerIds.hash(new byte[0])).isEqualTo(0x02CC5D05);
        assertThat(ConsumerIds.hash("abc".getBytes(StandardCharsets.US_ASCII))).isEqualTo(0x32D153FF);
    }

    @Test
    void absentPlacesAreNamed() {
        Refusal.expect(ErrorCode.STREAM_ID_NOT_FOUND, () -> produce(Partitioning.BALANCED, "a"));
        server.aTopic(0, Map.of());
        assertThat(Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> produce(Partitioning.BALANCED, "a"))
                        .field())
                .isEqualTo("partition_id");
        server.partitions.add(id(0), id(0), 1);
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> produce(new Partitioning.PartitionId(4294967295L), "a"));
        Refusal.expect(
                ErrorCode.TOPIC_ID_NOT_FOUND,
                () -> server.produce.dispatch(id(0), id(7), Partitioning.BALANCED, batch("a")));
    }

    @Test
    void aFailedSyncWithholdsSuccess() {
        server.aTopic(1, Map.of("durability", "persisted"));
        server.log(0).failSyncs(new KeptlogException(ErrorCode.SYNC_FAILED, "It may be stored."));
        Refusal.expect(ErrorCode.SYNC_FAILED, () -> produce(Partitioning.BALANCED, "a"));
    }

    @Test
    void aFencedPartitionIsPassedOverOnlyWhenTheServerChooses() {
        server.aTopic(2, Map.of());
        server.log(0).failAppends(new KeptlogException(ErrorCode.PARTITION_FENCED, "Fenced."));
        for (int i = 0; i < 4; i++) {
            assertThat(produce(Partitioning.BALANCED, "a").partition().partitionId())
                    .isEqualTo(1);
        }
        Refusal.expect(ErrorCode.PARTITION_FENCED, () -> produce(new Partitioning.PartitionId(0), "a"));
        server.log(1).failAppends(new KeptlogException(ErrorCode.PARTITION_FENCED, "Fenced."));
        Refusal.expect(ErrorCode.PARTITION_FENCED, () -> produce(Partitioning.BALANCED, "a"));
    }

    @Test
    void aLogThatWasPurgedSinceItWasLookedUpIsLookedUpOnceMore() {
        server.aTopic(1, Map.of());
        var once = new KeptlogException(ErrorCode.PARTITION_NOT_FOUND, "Gone.", "partition_id");
        server.log(0).failAppends(once);
        server.logs.beforeOpen(() -> {});
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> produce(Partitioning.BALANCED, "a"));
        server.partitions.purgeTopic(id(0), id(0));
        assertThat(produce(Partitioning.BALANCED, "a").baseOffset()).isZero();
    }

    @Test
    void aRouteEndsWithTheLifeOfItsPartition() {
        server.aTopic(1, Map.of());
        Route route = server.produce.route(id(0), id(0), Partitioning.BALANCED, null);
        server.produce.append(route, batch("a"));
        server.partitions.purgeTopic(id(0), id(0));
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> server.produce.append(route, batch("b")));
        assertThat(server.log(0).status().endOffset()).isZero();
    }
}
