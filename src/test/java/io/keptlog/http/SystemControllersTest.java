// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class SystemControllersTest {
    private final MockMvc mvc;
    private final Api api;

    @Autowired
    SystemControllersTest(MockMvc mvc) {
        this.mvc = mvc;
        this.api = Api.root(mvc);
    }

    @Test
    void pingIsPublicAndIgnoresBadCredentials() {
        assertThat(Api.anonymous(mvc).get("/ping").expect(200).body()).isEqualTo("pong");
        assertThat(Api.bearer(mvc, "stale").get("/ping").expect(200).body()).isEqualTo("pong");
    }

    @Test
    void statisticsHaveEveryMemberAndRealValues() {
        String topic = Places.topic(api, 2, "");
        api.post(topic + "/messages", Places.messages("YQ==")).expect(201);
        var stats = api.get("/stats").expect(200).json();
        assertThat(stats.size()).isEqualTo(28);
        assertThat(stats.at("/process_id").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(stats.at("/messages_count").asLong()).isPositive();
        assertThat(stats.at("/streams_count").asInt()).isPositive();
        assertThat(stats.at("/partitions_count").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(stats.at("/run_time").asLong()).isPositive();
        assertThat(stats.at("/total_memory").asString()).matches("[0-9.]+ [KMGT]B");
        assertThat(stats.at("/iggy_server_version").asString()).isEqualTo("0.8.0");
    }

    @Test
    void countsAreOpenMetrics() {
        api.get("/streams").expect(200);
        String text = api.get("/metrics").expect(200).body();
        for (String name :
                new String[] {"streams", "topics", "partitions", "segments", "messages", "users", "clients"}) {
            assertThat(text).contains("# TYPE " + name + " gauge\n").containsPattern("(?m)^" + name + " \\d+$");
        }
        assertThat(text).containsPattern("(?m)^http_requests_total \\d+$").endsWith("# EOF\n");
        Api.anonymous(mvc).get("/metrics").refused(401, 77, "access_token_missing");
    }

    @Test
    void whoAsksIsAClient() {
        var clients = api.get("/clients").expect(200).json();
        assertThat(clients.size()).isPositive();
        long id = clients.at("/0/client_id").asLong();
        var client = api.get("/clients/" + id).expect(200).json();
        assertThat(client.at("/transport").asString()).isEqualTo("http");
        assertThat(client.at("/consumer_groups").isArray()).isTrue();
        api.get("/clients/4294967295").refused(404, 100, "client_not_found");
    }

    @Test
    void oneNodeIsACluster() {
        var cluster = api.get("/cluster/metadata").expect(200).json();
        assertThat(cluster.at("/nodes/0/role").asString()).isEqualTo("leader");
        assertThat(cluster.at("/nodes/0/status").asString()).isEqualTo("healthy");
        assertThat(cluster.at("/nodes/0/endpoints").propertyNames())
                .containsExactly("tcp", "quic", "http", "websocket");
    }

    @Test
    void optionsAreListedByScope() {
        var topic = api.get("/options/topic").expect(200).json();
        assertThat(topic.size()).isEqualTo(9);
        assertThat(topic.at("/4/key").asString()).isEqualTo("durability");
        assertThat(topic.at("/6/default_value").toString()).isEqualTo("[0,4,0,0]");
        assertThat(api.get("/options/stream").expect(200).body()).isEqualTo("[]");
        assertThat(api.get("/options/user").expect(200).body()).isEqualTo("[]");
        api.get("/options/planet").refused(400, 3, "invalid_command");
    }

    @Test
    void theBarrierMakesEverythingPersistedOnAnyTopic() {
        String topic = Places.topic(api, 1, "");
        api.post(topic + "/messages", Places.messages("YQ==", "Yg==")).expect(201);
        var barrier = api.post(topic + "/partitions/0/flush", "").expect(200).json();
        assertThat(barrier.at("/end_offset").asInt()).isEqualTo(2);
        assertThat(barrier.at("/persisted_end_offset").asInt()).isEqualTo(2);
        api.post(topic + "/partitions/1/flush", "").refused(404, 3007, "partition_not_found");
    }

    @Test
    void explainAnswersFailureByFailure() {
        String topic = Places.topic(api, 1, "\"durability\":\"persisted\"");
        var explained = api.get(topic + "/durability").expect(200).json();
        assertThat(explained.at("/failures/0/failure").asString()).isEqualTo("process_crash");
        assertThat(explained.at("/failures/1/verdict").asString()).isEqualTo("kept");
        assertThat(explained.at("/failures/2/verdict").asString()).isEqualTo("lost");
        assertThat(explained.at("/partitions/0/state").asString()).isEqualTo("open");
        String replicated = Places.topic(api, 1, "");
        assertThat(api.get(replicated + "/durability")
                        .json()
                        .at("/failures/1/verdict")
                        .asString())
                .isEqualTo("may_be_lost");
    }

    @Test
    void recoveryReportsAreAList() {
        assertThat(api.get("/recovery").expect(200).json().isArray()).isTrue();
        Api.anonymous(mvc).get("/recovery").refused(401, 77, "access_token_missing");
    }
}
