// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class GroupControllerTest {
    private final Api root;
    private final Fixture fixture;
    private String topic = "";
    private String groups = "";

    @Autowired
    GroupControllerTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @BeforeEach
    void aTopic() {
        topic = fixture.topic(3);
        groups = topic + "/consumer-groups";
    }

    @Test
    void aGroupIsCreatedListedFoundAndDeleted() {
        JsonNode made = root.post(groups, "{\"name\":\"billing\"}").expect(200).json();
        assertThat(made.propertyNames())
                .containsExactlyInAnyOrder("id", "name", "partitions_count", "members_count", "members");
        assertThat(made.path("id").asInt(-1)).isZero();
        assertThat(made.path("partitions_count").asInt()).isEqualTo(3);
        assertThat(made.path("members_count").asInt(-1)).isZero();
        assertThat(made.path("members").isEmpty()).isTrue();
        assertThat(root.get(groups + "/billing").expect(200).json()).isEqualTo(made);
        assertThat(root.get(groups + "/0").expect(200).json()).isEqualTo(made);
        assertThat(root.get(groups).expect(200).json().get(0).propertyNames())
                .containsExactlyInAnyOrder("id", "name", "partitions_count", "members_count");
        root.delete(groups + "/billing").expect(204);
        root.get(groups + "/billing").refused(404, 404, "not_found");
        root.get(groups + "/0").refused(404, 404, "not_found");
        assertThat(root.get(groups).expect(200).json().size()).isZero();
    }

    @Test
    void namesHaveTheirCodes() {
        root.post(groups, "{\"name\":\"g\"}").expect(200);
        root.post(groups, "{\"name\":\"g\"}").refused(400, 5004, "consumer_group_name_already_exists");
        for (String bad : new String[] {"", "x".repeat(256), "a\\u0007"}) {
            root.post(groups, "{\"name\":\"" + bad + "\"}").refused(400, 5005, "invalid_consumer_group_name");
        }
        root.delete(groups + "/7").refused(404, 5000, "consumer_group_id_not_found");
        root.delete(groups + "/absent").refused(404, 5003, "consumer_group_name_not_found");
        root.post("/streams/absent/topics/t/consumer-groups", "{\"name\":\"g\"}")
                .refused(404, 1009, "stream_id_not_found");
        root.post(topic.replaceAll("\\d+$", "99") + "/consumer-groups", "{\"name\":\"g\"}")
                .refused(404, 2010, "topic_id_not_found");
        root.get("/streams/absent/topics/t/consumer-groups").refused(404, 1009, "stream_id_not_found");
    }

    @Test
    void offsetsOfAGroupAreItsOwnAndGoWithIt() {
        root.post(groups, "{\"name\":\"g\"}").expect(200);
        fixture.send(topic, 1, "a", "b", "c");
        String offsets = topic + "/consumer-offsets";
        root.put(
                        offsets,
                        "{\"consumer_id\":\"g\",\"consumer_kind\":\"consumer_group\",\"partition_id\":1,\"offset\":2}")
                .expect(204);
        JsonNode stored = root.get(offsets + "?consumer_id=0&consumer_kind=consumer_group&partition_id=1")
                .expect(200)
                .json();
        assertThat(stored.path("stored_offset").asInt()).isEqualTo(2);
        root.get(offsets + "?consumer_id=0&partition_id=1").refused(404, 404, "not_found");
        root.put(
                        offsets,
                        "{\"consumer_id\":\"no\",\"consumer_kind\":\"consumer_group\",\"partition_id\":1,\"offset\":2}")
                .refused(404, 5003, "consumer_group_name_not_found");
        root.delete(groups + "/g").expect(204);
        int next = root.post(groups, "{\"name\":\"g\"}")
                .expect(200)
                .json()
                .path("id")
                .asInt();
        assertThat(next).as("ids are not reused").isEqualTo(1);
        root.get(offsets + "?consumer_id=g&consumer_kind=consumer_group&partition_id=1")
                .refused(404, 404, "not_found");
        root.get(topic + "/messages?consumer_kind=consumer_group&consumer_id=g").refused(400, 3, "invalid_command");
    }
}
