// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class GroupControllerTest {
    private final Api api;

    @Autowired
    GroupControllerTest(MockMvc mvc) {
        this.api = Api.root(mvc);
    }

    @Test
    void aGroupIsCreatedListedReadAndDeletedWithItsOffsets() {
        String topic = Places.topic(api, 2, "");
        String groups = topic + "/consumer-groups";
        assertThat(api.post(groups, "{\"name\":\"billing\"}").expect(200).body())
                .isEqualTo("{\"id\":0,\"name\":\"billing\",\"partitions_count\":2,\"members_count\":0,\"members\":[]}");
        assertThat(api.get(groups).expect(200).body())
                .isEqualTo("[{\"id\":0,\"name\":\"billing\",\"partitions_count\":2,\"members_count\":0}]");
        api.get(groups + "/billing").expect(200);
        api.post(topic + "/messages", Places.messages("YQ==")).expect(201);
        api.put(
                        topic + "/consumer-offsets",
                        "{\"consumer_id\":\"billing\",\"consumer_kind\":\"consumer_group\",\"offset\":0}")
                .expect(204);
        assertThat(api.get(topic + "/consumer-offsets?consumer_id=0&consumer_kind=consumer_group")
                        .expect(200)
                        .json()
                        .at("/stored_offset")
                        .asInt())
                .isZero();
        api.delete(groups + "/0").expect(204);
        api.get(groups + "/0").refused(404, 404, "not_found");
        api.delete(groups + "/0").refused(404, 5000, "consumer_group_id_not_found");
        api.delete(groups + "/nobody").refused(404, 5003, "consumer_group_name_not_found");
        api.get(topic + "/consumer-offsets?consumer_id=0&consumer_kind=consumer_group")
                .expect(404);
    }

    @Test
    void badGroupsAreRefused() {
        String groups = Places.topic(api, 1, "") + "/consumer-groups";
        api.post(groups, "{\"name\":\"\"}").refused(400, 5005, "invalid_consumer_group_name");
        api.post(groups, "{\"name\":\"a\"}").expect(200);
        api.post(groups, "{\"name\":\"a\"}").refused(400, 5004, "consumer_group_name_already_exists");
        api.get("/streams/999999/topics/0/consumer-groups").refused(404, 1009, "stream_id_not_found");
        api.get(groups.replace("/events/", "/nothing/")).refused(404, 2010, "topic_id_not_found");
    }
}
