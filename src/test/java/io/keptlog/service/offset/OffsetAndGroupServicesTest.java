// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.offset;

import static io.keptlog.service.ServiceFixture.batch;
import static io.keptlog.service.ServiceFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.service.Refusal;
import io.keptlog.service.ServiceFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OffsetAndGroupServicesTest {
    private final ServiceFixture server = new ServiceFixture();

    private static OffsetService.Place consumer(Identifier consumer) {
        return new OffsetService.Place(id(0), id(0), ConsumerKey.Kind.CONSUMER, consumer, 0);
    }

    private static OffsetService.Place group(Identifier group) {
        return new OffsetService.Place(id(0), id(0), ConsumerKey.Kind.CONSUMER_GROUP, group, 0);
    }

    private void aTopicWithThreeMessages(Map<String, String> options) {
        server.aTopic(1, options);
        server.produce.produce(id(0), id(0), Partitioning.BALANCED, batch("a", "b", "c"), null);
    }

    @Test
    void anOffsetIsStoredReadRewoundAndDeleted() {
        aTopicWithThreeMessages(Map.of());
        server.offsets.store(consumer(id(7)), 2);
        assertThat(server.offsets.get(consumer(id(7)))).isEqualTo(new OffsetService.StoredOffset(0, 2, 2));
        server.offsets.store(consumer(id(7)), 1);
        assertThat(server.offsets.get(consumer(id(7))).storedOffset()).isEqualTo(1);
        server.offsets.delete(consumer(id(7)));
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.offsets.get(consumer(id(7))));
        Refusal.expect(ErrorCode.CONSUMER_OFFSET_NOT_FOUND, () -> server.offsets.delete(consumer(id(7))));
    }

    @Test
    void aNameAndTheNumberItHashesToAreOneConsumer() {
        aTopicWithThreeMessages(Map.of());
        server.offsets.store(consumer(new Identifier.Name("abc")), 1);
        assertThat(server.offsets.get(consumer(id(0x32D153FFL))).storedOffset()).isEqualTo(1);
    }

    @Test
    void offsetsBeyondTheNewestMessageAreRefused() {
        server.aTopic(1, Map.of());
        for (long offset : new long[] {0, 1, -1}) {
            assertThat(Refusal.expect(ErrorCode.INVALID_OFFSET, () -> server.offsets.store(consumer(id(1)), offset))
                            .field())
                    .isEqualTo("offset");
        }
        server.produce.produce(id(0), id(0), Partitioning.BALANCED, batch("a"), null);
        server.offsets.store(consumer(id(1)), 0);
        Refusal.expect(ErrorCode.INVALID_OFFSET, () -> server.offsets.store(consumer(id(1)), 1));
        Refusal.expect(ErrorCode.INVALID_OFFSET, () -> server.offsets.store(consumer(id(1)), -1));
    }

    @Test
    void theTopicsOffsetPolicyDecidesWhatIsWaitedFor() {
        aTopicWithThreeMessages(Map.of("durability", "persisted"));
        server.offsets.store(consumer(id(1)), 0);
        assertThat(server.offsetStore.persisted()).isZero();
        server.topics.create(
                id(0), "strict", 1, ServiceFixture.settings(Map.of("consumer_offset_durability", "persisted")));
        server.produce.produce(id(0), id(1), Partitioning.BALANCED, batch("a"), null);
        var strict = new OffsetService.Place(id(0), id(1), ConsumerKey.Kind.CONSUMER, id(1), 0);
        server.offsets.store(strict, 0);
        assertThat(server.offsetStore.persisted()).isEqualTo(2);
        server.offsets.delete(strict);
        assertThat(server.offsetStore.persisted()).isEqualTo(3);
    }

    @Test
    void anOffsetThatIsNotKnownToBeKeptInTimeHasItsOwnCode() {
        aTopicWithThreeMessages(Map.of("consumer_offset_durability", "persisted"));
        server.offsetStore.failSyncs(new KeptlogException(ErrorCode.PRODUCE_TIMEOUT, "Unknown."));
        Refusal.expect(ErrorCode.OFFSET_WRITE_TIMEOUT, () -> server.offsets.store(consumer(id(1)), 0));
        server.offsetStore.failSyncs(new KeptlogException(ErrorCode.SYNC_FAILED, "It may be stored."));
        Refusal.expect(ErrorCode.SYNC_FAILED, () -> server.offsets.store(consumer(id(1)), 0));
    }

    @Test
    void absentPlacesAreAnswered() {
        Refusal.expect(ErrorCode.STREAM_ID_NOT_FOUND, () -> server.offsets.store(consumer(id(1)), 0));
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.offsets.get(consumer(id(1))));
        server.aTopic(0, Map.of());
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> server.offsets.get(consumer(id(1))));
        Refusal.expect(ErrorCode.PARTITION_NOT_FOUND, () -> server.offsets.store(consumer(id(1)), 0));
    }

    @Test
    void groupsAreMadeListedAndFoundByIdAndName() {
        server.aTopic(3, Map.of());
        assertThat(server.groups.create(id(0), id(0), "billing")).isEqualTo(new GroupView(0, "billing", 3));
        assertThat(server.groups.create(id(0), id(0), "audit").id()).isEqualTo(1);
        assertThat(server.groups.list(id(0), id(0))).extracting(GroupView::name).containsExactly("billing", "audit");
        assertThat(server.groups.get(id(0), id(0), new Identifier.Name("audit")).id())
                .isEqualTo(1);
        Refusal.expect(ErrorCode.CONSUMER_GROUP_NAME_ALREADY_EXISTS, () -> server.groups.create(id(0), id(0), "audit"));
        Refusal.expect(ErrorCode.INVALID_CONSUMER_GROUP_NAME, () -> server.groups.create(id(0), id(0), ""));
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.groups.get(id(0), id(0), id(9)));
        Refusal.expect(ErrorCode.CONSUMER_GROUP_ID_NOT_FOUND, () -> server.groups.delete(id(0), id(0), id(9)));
        Refusal.expect(
                ErrorCode.CONSUMER_GROUP_NAME_NOT_FOUND,
                () -> server.groups.delete(id(0), id(0), new Identifier.Name("nobody")));
        Refusal.expect(ErrorCode.STREAM_ID_NOT_FOUND, () -> server.groups.list(id(9), id(0)));
    }

    @Test
    void aGroupsOffsetsAreItsOwnAndGoWithIt() {
        aTopicWithThreeMessages(Map.of());
        server.groups.create(id(0), id(0), "billing");
        server.offsets.store(group(new Identifier.Name("billing")), 2);
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.offsets.get(consumer(id(0))));
        assertThat(server.offsets.get(group(id(0))).storedOffset()).isEqualTo(2);
        server.groups.delete(id(0), id(0), id(0));
        assertThat(server.offsetStore.list(server.log(0).spec())).isEmpty();
        assertThat(server.groups.create(id(0), id(0), "billing").id()).isEqualTo(1);
        Refusal.expect(ErrorCode.NOT_FOUND, () -> server.offsets.get(group(id(1))));
    }
}
