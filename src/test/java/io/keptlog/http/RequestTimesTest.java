// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class RequestTimesTest {
    private final Api root;
    private final Fixture fixture;

    @Autowired
    RequestTimesTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    private List<String> counts() {
        return root.get("/actuator/prometheus")
                .expect(200)
                .body()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                .toList();
    }

    private long count(String... tags) {
        return counts().stream()
                .filter(line -> List.of(tags).stream().allMatch(line::contains))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void produceAndPollAreTimedUnderSpringsNameWithItsTagsLikeEveryOtherRequest() {
        String uri = "uri=\"/streams/{stream_id}/topics/{topic_id}/messages\"";
        String topic = fixture.topic(1);
        long produced = count(uri, "method=\"POST\"", "status=\"201\"", "outcome=\"SUCCESS\"");
        long polled = count(uri, "method=\"GET\"", "status=\"200\"", "outcome=\"SUCCESS\"");
        long refused = count(uri, "method=\"POST\"", "status=\"400\"", "outcome=\"CLIENT_ERROR\"");
        fixture.send(topic, 0, "one");
        fixture.send(topic, 0, "two");
        fixture.poll(topic, "kind=first&count=2");
        root.post(topic + "/messages", "{").expect(400);
        root.get(topic).expect(200);

        assertThat(count(uri, "method=\"POST\"", "status=\"201\"", "outcome=\"SUCCESS\""))
                .isEqualTo(produced + 2);
        assertThat(count(uri, "method=\"GET\"", "status=\"200\"", "outcome=\"SUCCESS\""))
                .isEqualTo(polled + 1);
        assertThat(count(uri, "method=\"POST\"", "status=\"400\"", "outcome=\"CLIENT_ERROR\""))
                .isEqualTo(refused + 1);
        assertThat(counts().stream().map(RequestTimesTest::tagNames).distinct())
                .as("one set of tags for all, else the registry refuses the meter")
                .hasSize(1);
        assertThat(count("uri=\"/streams/{stream_id}/topics/{topic_id}\""))
                .as("the others are timed by Spring")
                .isPositive();
    }

    private static List<String> tagNames(String line) {
        return List.of(line.substring(line.indexOf('{') + 1, line.lastIndexOf('}'))
                .replaceAll("=\"[^\"]*\"", "")
                .split(","));
    }

    @Test
    void aTopicNamedMessagesIsNoPoll() {
        String stream = fixture.topic(1).split("/topics/")[0];
        root.post(
                        stream + "/topics",
                        "{\"name\":\"messages\",\"partitions_count\":1,"
                                + "\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0}")
                .expect(200);
        root.get(stream + "/topics/messages").expect(200);
        assertThat(root.get(stream + "/topics/messages/messages?kind=first")
                        .expect(200)
                        .json()
                        .path("count")
                        .asInt(-1))
                .isZero();
    }
}
