// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class PartitionControllerTest {
    private final Api root;
    private final Fixture fixture;

    @Autowired
    PartitionControllerTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    private int partitions(String topic) {
        return root.get(topic).expect(200).json().path("partitions_count").asInt();
    }

    @Test
    void partitionsAreAddedAndTheLastOnesRemoved() {
        String topic = fixture.topic(1);
        assertThat(root.post(topic + "/partitions", "{\"partitions_count\":2}")
                        .expect(200)
                        .body())
                .isEmpty();
        assertThat(partitions(topic)).isEqualTo(3);
        fixture.send(topic, 2, "there");
        root.delete(topic + "/partitions?partitions_count=2").expect(204);
        assertThat(partitions(topic)).isEqualTo(1);
        JsonNode gone = root.post(topic + "/messages", Fixture.body(Fixture.partition(2), "x"))
                .refused(404, 3007, "partition_not_found")
                .json();
        assertThat(gone.path("field").asString()).isEqualTo("partition_id");
        root.post(topic + "/partitions", "{\"partitions_count\":2}").expect(200);
        assertThat(fixture.poll(topic, "partition_id=2&kind=first")
                        .path("count")
                        .asInt(-1))
                .as("a new partition with an old number is empty")
                .isZero();
    }

    @Test
    void countsHaveTheirCodes() {
        String topic = fixture.topic(2);
        for (String count : new String[] {"0", "1001", "4294967295"}) {
            root.post(topic + "/partitions", "{\"partitions_count\":" + count + "}")
                    .refused(400, 2015, "too_many_partitions");
            root.delete(topic + "/partitions?partitions_count=" + count).refused(400, 2015, "too_many_partitions");
        }
        root.delete(topic + "/partitions?partitions_count=3").refused(400, 2019, "invalid_partitions_count");
        root.delete(topic + "/partitions").expect(400);
        root.delete(topic + "/partitions?partitions_count=x").refused(400, 4, "invalid_format");
        root.post(topic + "/partitions", "{}").expect(400);
        assertThat(partitions(topic)).isEqualTo(2);
        root.post("/streams/absent/topics/t/partitions", "{\"partitions_count\":1}")
                .refused(404, 1009, "stream_id_not_found");
        root.delete(topic + "x/partitions?partitions_count=1").refused(404, 2010, "topic_id_not_found");
    }

    @Test
    void theOldestSegmentsAreDeletedAndAPollSaysWhatIsMissing() {
        String topic = fixture.topic(1, "{\"segment_size\":\"1 MiB\"}");
        fixture.seal(topic, 3);
        JsonNode before = root.get(topic).expect(200).json().at("/partitions/0");
        assertThat(before.path("segments_count").asInt()).isGreaterThanOrEqualTo(3);
        root.delete(topic + "/partitions/0?segments_count=1").expect(204);
        JsonNode after = root.get(topic).expect(200).json().at("/partitions/0");
        assertThat(after.path("segments_count").asInt())
                .isEqualTo(before.path("segments_count").asInt() - 1);
        assertThat(after.path("current_offset")).isEqualTo(before.path("current_offset"));
        JsonNode polled = fixture.poll(topic, "kind=offset&value=0&count=1");
        assertThat(polled.at("/gap/from_offset").asInt(-1)).isZero();
        long firstKept = polled.at("/gap/to_offset").asLong();
        assertThat(firstKept).isPositive();
        assertThat(polled.at("/gap/reason").asString()).isEqualTo("deletion");
        assertThat(Fixture.offsets(polled)).containsExactly(firstKept);
        assertThat(fixture.poll(topic, "kind=first&count=1").has("gap")).isFalse();
        assertThat(fixture.poll(topic, "kind=offset&count=1&value=" + firstKept).has("gap"))
                .isFalse();
    }

    @Test
    void aSegmentThatAStoredOffsetNeedsIsKeptAndTheActiveOneAlways() {
        String topic = fixture.topic(1, "{\"segment_size\":\"1 MiB\"}");
        fixture.seal(topic, 2);
        root.put(topic + "/consumer-offsets", "{\"consumer_id\":\"slow\",\"offset\":0}")
                .expect(204);
        int segments = root.get(topic).json().at("/partitions/0/segments_count").asInt();
        root.delete(topic + "/partitions/0?segments_count=100").expect(204);
        int kept = root.get(topic).json().at("/partitions/0/segments_count").asInt();
        assertThat(kept).as("only what the consumer has read").isGreaterThanOrEqualTo(segments - 1);
        root.delete(topic + "/consumer-offsets/slow").expect(204);
        root.delete(topic + "/partitions/0?segments_count=100").expect(204);
        JsonNode partition = root.get(topic).json().at("/partitions/0");
        assertThat(partition.path("segments_count").asInt()).isEqualTo(1);
        assertThat(partition.path("current_offset").asInt()).isEqualTo(2);
        root.delete(topic + "/partitions/9?segments_count=1").refused(404, 3007, "partition_not_found");
        root.delete(topic + "/partitions/x?segments_count=1").expect(400);
        root.delete(topic + "/partitions/0").expect(400);
    }
}
