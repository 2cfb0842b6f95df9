// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class OffsetControllerTest {
    private final Api root;
    private final Fixture fixture;
    private String topic = "";
    private String offsets = "";

    @Autowired
    OffsetControllerTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @BeforeEach
    void aTopicWithFiveMessages() {
        topic = fixture.topic(2);
        offsets = topic + "/consumer-offsets";
        fixture.send(topic, 0, "a", "b", "c", "d", "e");
    }

    private JsonNode stored(String query) {
        return root.get(offsets + query).expect(200).json();
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicated", "persisted"})
    void anOffsetIsStoredReadRewoundAndDeletedAtBothPolicies(String level) {
        topic = fixture.topic(1, "{\"consumer_offset_durability\":\"" + level + "\"}");
        offsets = topic + "/consumer-offsets";
        fixture.send(topic, 0, "a", "b", "c");
        root.get(offsets + "?consumer_id=billing").refused(404, 404, "not_found");
        root.put(offsets, "{\"consumer_id\":\"billing\",\"offset\":2}").expect(204);
        JsonNode stored = stored("?consumer_id=billing");
        assertThat(stored.propertyNames()).containsExactlyInAnyOrder("partition_id", "current_offset", "stored_offset");
        assertThat(stored.path("stored_offset").asInt()).isEqualTo(2);
        assertThat(stored.path("current_offset").asInt()).isEqualTo(2);
        root.put(offsets, "{\"consumer_id\":\"billing\",\"offset\":0}").expect(204);
        assertThat(stored("?consumer_id=billing").path("stored_offset").asInt(-1))
                .isZero();
        root.delete(offsets + "/billing").expect(204);
        root.get(offsets + "?consumer_id=billing").refused(404, 404, "not_found");
        root.delete(offsets + "/billing").refused(404, 3021, "consumer_offset_not_found");
    }

    @Test
    void whoNamesNothingIsConsumer1OfPartition0() {
        root.put(offsets, "{\"offset\":3,\"partition_id\":null}").expect(204);
        assertThat(stored("").path("stored_offset").asInt()).isEqualTo(3);
        assertThat(stored("?consumer_id=1&partition_id=0&consumer_kind=consumer")
                        .path("stored_offset")
                        .asInt())
                .isEqualTo(3);
        root.delete(offsets + "/1").expect(204);
    }

    @Test
    void aNameAndTheNumberItHashesToAreTheSameConsumer() {
        // XXH32 with seed 0 of "a" is 0x550d7456.
        root.put(offsets, "{\"consumer_id\":\"a\",\"offset\":1}").expect(204);
        assertThat(stored("?consumer_id=" + 0x550d7456L).path("stored_offset").asInt())
                .isEqualTo(1);
        root.put(offsets, "{\"consumer_id\":4294967295,\"offset\":4}").expect(204);
        assertThat(stored("?consumer_id=4294967295").path("stored_offset").asInt())
                .isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "2147483653", "9007199254740993", "9223372036854775808", "18446744073709551615"})
    void anOffsetBeyondTheNewestMessageIsRefused(String offset) {
        JsonNode refused = root.put(offsets, "{\"consumer_id\":1,\"offset\":" + offset + "}")
                .refused(400, 4100, "invalid_offset")
                .json();
        assertThat(refused.path("field").asString()).isEqualTo("offset");
        root.get(offsets).refused(404, 404, "not_found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.0", "1e0", "\"1\"", "18446744073709551616", "null", "true"})
    void anOffsetThatIsNoU64IsRefused(String offset) {
        root.put(offsets, "{\"consumer_id\":1,\"offset\":" + offset + "}").expect(400);
        root.get(offsets).refused(404, 404, "not_found");
    }

    @Test
    void anEmptyPartitionTakesNoOffset() {
        root.put(offsets, "{\"consumer_id\":1,\"partition_id\":1,\"offset\":0}").refused(400, 4100, "invalid_offset");
    }

    @Test
    void whatIsAbsentOrWrongHasItsCode() {
        root.put(offsets, "{\"consumer_id\":1,\"partition_id\":7,\"offset\":0}")
                .refused(404, 3007, "partition_not_found");
        root.get(offsets + "?partition_id=7").refused(404, 3007, "partition_not_found");
        root.put("/streams/absent/topics/t/consumer-offsets", "{\"offset\":0}")
                .refused(404, 1009, "stream_id_not_found");
        root.get("/streams/absent/topics/t/consumer-offsets").refused(404, 404, "not_found");
        root.delete("/streams/absent/topics/t/consumer-offsets/1").refused(404, 1009, "stream_id_not_found");
        root.put(offsets, "{\"offset\":0,\"consumer_kind\":\"nobody\"}").refused(400, 3, "invalid_command");
        root.put(offsets, "{\"offset\":0,\"consumer_id\":\"\"}").expect(400);
        root.put(offsets, "{\"offset\":0,\"consumer_id\":true}").expect(400);
        root.put(offsets, "{\"consumer_id\":1}").expect(400);
        root.get(offsets + "?partition_id=x").refused(400, 4, "invalid_format");
    }

    @Test
    void everyConsumerOfATopicIsListedWithWhatIsBehindIt() {
        assertThat(root.get(topic + "/consumers").expect(200).json().path("consumers"))
                .isEmpty();
        fixture.send(topic, 1, "f");
        root.put(offsets, "{\"consumer_id\":4294967295,\"offset\":1}").expect(204);
        root.put(offsets, "{\"consumer_id\":7,\"offset\":4}").expect(204);
        root.put(offsets, "{\"consumer_id\":7,\"partition_id\":1,\"offset\":0}").expect(204);
        JsonNode listed = root.get(topic + "/consumers").expect(200).json();
        assertThat(listed.path("more").asBoolean(true)).isFalse();
        assertThat(listed.path("consumers").toString())
                .isEqualTo("[{\"consumer_id\":7,\"consumer_kind\":\"consumer\",\"partition_id\":0,\"stored_offset\":4,"
                        + "\"current_offset\":4,\"lag\":0},{\"consumer_id\":4294967295,\"consumer_kind\":\"consumer\","
                        + "\"partition_id\":0,\"stored_offset\":1,\"current_offset\":4,\"lag\":3},{\"consumer_id\":7,"
                        + "\"consumer_kind\":\"consumer\",\"partition_id\":1,\"stored_offset\":0,\"current_offset\":0,"
                        + "\"lag\":0}]");
        root.delete(offsets + "/7").expect(204);
        assertThat(root.get(topic + "/consumers").json().path("consumers")).hasSize(2);
        root.get("/streams/absent/topics/t/consumers").refused(404, 404, "not_found");
    }

    @Test
    void currentOffsetNeverShrinksWhenSegmentsAreDeleted() {
        String sealed = fixture.topic(1, "{\"segment_size\":\"1 MiB\"}");
        fixture.seal(sealed, 2);
        root.put(sealed + "/consumer-offsets", "{\"offset\":2}").expect(204);
        root.delete(sealed + "/partitions/0?segments_count=2").expect(204);
        JsonNode stored = root.get(sealed + "/consumer-offsets").expect(200).json();
        assertThat(stored.path("current_offset").asInt()).isEqualTo(2);
        assertThat(stored.path("stored_offset").asInt()).isEqualTo(2);
    }
}
