// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class OffsetControllerTest {
    private final Api api;

    @Autowired
    OffsetControllerTest(MockMvc mvc) {
        this.api = Api.root(mvc);
    }

    private String aTopicWithThreeMessages(String options) {
        String topic = Places.topic(api, 1, options);
        api.post(topic + "/messages", Places.messages("YQ==", "Yg==", "Yw==")).expect(201);
        return topic;
    }

    @Test
    void anOffsetIsStoredReadRewoundAndDeletedAtBothPolicies() {
        for (String level : new String[] {"replicated", "persisted"}) {
            String topic = aTopicWithThreeMessages("\"consumer_offset_durability\":\"" + level + "\"");
            String offsets = topic + "/consumer-offsets";
            api.put(offsets, "{\"consumer_id\":\"abc\",\"offset\":2}").expect(204);
            assertThat(api.get(offsets + "?consumer_id=" + 0x32D153FFL)
                            .expect(200)
                            .body())
                    .isEqualTo("{\"partition_id\":0,\"current_offset\":2,\"stored_offset\":2}");
            api.put(offsets, "{\"consumer_id\":\"abc\",\"offset\":0}").expect(204);
            assertThat(api.get(offsets + "?consumer_id=abc")
                            .json()
                            .at("/stored_offset")
                            .asInt())
                    .isZero();
            api.delete(offsets + "/abc").expect(204);
            api.delete(offsets + "/abc").refused(404, 3021, "consumer_offset_not_found");
            api.get(offsets + "?consumer_id=abc").refused(404, 404, "not_found");
        }
    }

    @Test
    void whoNamesNothingIsConsumerOneOfPartitionZero() {
        String offsets = aTopicWithThreeMessages("") + "/consumer-offsets";
        api.put(offsets, "{\"offset\":1,\"partition_id\":null}").expect(204);
        assertThat(api.get(offsets + "?consumer_id=1&partition_id=0&consumer_kind=consumer")
                        .expect(200)
                        .json()
                        .at("/stored_offset")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void numbersAreExactOrRefused() {
        String offsets = aTopicWithThreeMessages("") + "/consumer-offsets";
        for (String offset :
                new String[] {"3", "2147483653", "9007199254740993", "9223372036854775808", "18446744073709551615"}) {
            api.put(offsets, "{\"offset\":" + offset + "}").refused(400, 4100, "invalid_offset");
        }
        for (String offset : new String[] {"-1", "18446744073709551616", "1e0", "1.0", "\"1\"", "null", "true"}) {
            api.put(offsets, "{\"offset\":" + offset + "}").expect(400);
        }
        for (String partition : new String[] {"-1", "4294967296", "0.5", "\"0\""}) {
            api.put(offsets, "{\"offset\":1,\"partition_id\":" + partition + "}")
                    .expect(400);
        }
        api.put(offsets, "{\"offset\":1,\"partition_id\":4294967295}").refused(404, 3007, "partition_not_found");
        api.put(offsets, "{\"offset\":1,\"consumer_id\":1.5}").expect(400);
        api.put(offsets, "{\"offset\":1,\"consumer_id\":\"\"}").expect(400);
        api.put(offsets, "{\"offset\":1,\"consumer_kind\":\"crowd\"}").refused(400, 3, "invalid_command");
        api.get(offsets + "?partition_id=1").refused(404, 3007, "partition_not_found");
        api.get(offsets + "?partition_id=x").refused(400, 4, "invalid_format");
    }

    @Test
    void absentPlacesAreAnswered() {
        api.put("/streams/999999/topics/0/consumer-offsets", "{\"offset\":0}")
                .refused(404, 1009, "stream_id_not_found");
        api.get("/streams/999999/topics/0/consumer-offsets").refused(404, 404, "not_found");
        String empty = Places.topic(api, 1, "") + "/consumer-offsets";
        api.put(empty, "{\"offset\":0}").refused(400, 4100, "invalid_offset");
    }
}
