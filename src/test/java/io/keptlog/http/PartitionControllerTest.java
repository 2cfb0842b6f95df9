// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class PartitionControllerTest {
    private final Api api;

    @Autowired
    PartitionControllerTest(MockMvc mvc) {
        this.api = Api.root(mvc);
    }

    @Test
    void partitionsAreAddedAndRemoved() {
        String topic = Places.topic(api, 1, "");
        assertThat(api.post(topic + "/partitions", "{\"partitions_count\":2}")
                        .expect(200)
                        .body())
                .isEmpty();
        assertThat(api.get(topic).json().at("/partitions_count").asInt()).isEqualTo(3);
        api.delete(topic + "/partitions?partitions_count=2").expect(204);
        assertThat(api.get(topic).json().at("/partitions_count").asInt()).isEqualTo(1);
    }

    @Test
    void countsAreCheckedExactly() {
        String topic = Places.topic(api, 1, "");
        for (String count : new String[] {"0", "1001", "-1"}) {
            api.post(topic + "/partitions", "{\"partitions_count\":" + count + "}")
                    .refused(400, 2015, "too_many_partitions");
        }
        api.post(topic + "/partitions", "{}").expect(400);
        api.delete(topic + "/partitions?partitions_count=2").refused(400, 2019, "invalid_partitions_count");
        for (String count : new String[] {"", "%201", "1e1", "-1", "4294967296"}) {
            api.delete(topic + "/partitions?partitions_count=" + count).refused(400, 4, "invalid_format");
        }
        api.delete(topic + "/partitions").expect(400);
        api.post("/streams/999999/topics/0/partitions", "{\"partitions_count\":1}")
                .refused(404, 1009, "stream_id_not_found");
    }

    @Test
    void theOldestSegmentsAreDeletedAndOffsetsStay() {
        String topic = Places.topic(api, 1, "\"segment_size\":\"1 MiB\"");
        String megabyte = "x".repeat(1_100_000);
        for (int i = 0; i < 3; i++) {
            api.post(
                            topic + "/messages",
                            Places.messages(java.util.Base64.getEncoder()
                                    .encodeToString(megabyte.getBytes(java.nio.charset.StandardCharsets.UTF_8))))
                    .expect(201);
        }
        api.delete(topic + "/partitions/0?segments_count=1").expect(204);
        var first = api.get(topic + "/messages?kind=first&count=1").expect(200).json();
        assertThat(first.at("/messages/0/header/offset").asInt()).isEqualTo(1);
        assertThat(first.at("/current_offset").asInt()).isEqualTo(2);
        var gap = api.get(topic + "/messages?kind=offset&value=0&count=1")
                .expect(200)
                .json();
        assertThat(gap.at("/gap").toString()).isEqualTo("{\"from_offset\":0,\"to_offset\":1,\"reason\":\"deletion\"}");
        api.delete(topic + "/partitions/9?segments_count=1").refused(404, 3007, "partition_not_found");
    }
}
