// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.Keptlog;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A broker over real bookies inside this JVM, as its users see it over HTTP. */
class ClusterHttpTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    static Path directory;

    private static LocalCluster cluster;
    private static ConfigurableApplicationContext server;
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static String address = "";

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(directory, 3);
        server = new SpringApplicationBuilder(Keptlog.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--keptlog.root-username=root",
                        "--keptlog.root-password=root-password",
                        "--keptlog.cluster.metadata-uri=" + cluster.metadataUri(),
                        "--keptlog.cluster.broker-name=broker");
        address = "http://127.0.0.1:"
                + ((ServletWebServerApplicationContext) server).getWebServer().getPort();
    }

    @AfterAll
    static void stop() {
        server.close();
        HTTP.close();
        cluster.close();
    }

    private record Reply(int status, String body) {
        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    private static Reply send(String method, String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(30))
                .header(
                        "Authorization",
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString("root:root-password".getBytes(StandardCharsets.US_ASCII)))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        HttpResponse<String> reply = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Reply(reply.statusCode(), reply.body());
    }

    private static Reply get(String path) throws Exception {
        return send("GET", path, "");
    }

    private static void createTopic(String stream, String options) throws Exception {
        Reply made = send("POST", "/streams", "{\"name\":\"" + stream + "\",\"options\":" + options + "}");
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        made = send(
                "POST",
                "/streams/" + stream + "/topics",
                "{\"name\":\"t\",\"partitions_count\":1,\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0}");
        assertThat(made.status()).as(made.body()).isEqualTo(200);
    }

    private static void produce(String stream) throws Exception {
        Reply stored = send(
                "POST",
                "/streams/" + stream + "/topics/t/messages",
                "{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"},\"messages\":[{\"payload\":\"YQ==\"}]}");
        assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    }

    @Test
    void theGuaranteeIsAnOptionOfAStreamThatIsShownChangedAndChecked() throws Exception {
        createTopic("guaranteed", "{\"guarantee_write_quorum\":\"true\"}");
        JsonNode option = get("/streams/guaranteed").json().at("/options/guarantee_write_quorum");
        assertThat(option.get("value").asString()).isEqualTo("true");
        assertThat(option.get("explicit").asBoolean()).isTrue();
        Reply wrong = send(
                "PUT",
                "/streams/guaranteed",
                "{\"name\":\"guaranteed\",\"options\":{\"guarantee_write_quorum\":\"maybe\"}}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.json().get("id").asInt()).isEqualTo(4042);
        assertThat(wrong.json().get("field").asString()).isEqualTo("guarantee_write_quorum");
        assertThat(get("/options/stream").json().findValuesAsString("key"))
                .containsExactly("ensemble_size", "write_quorum", "ack_quorum", "guarantee_write_quorum");

        produce("guaranteed");
        produce("guaranteed");
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonNode kept = get("/streams/guaranteed/topics/t/partitions/0/replication")
                    .json()
                    .get("kept");
            assertThat(kept.get("guaranteed").asBoolean()).isTrue();
            assertThat(kept.at("/messages/audited").asInt()).isEqualTo(2);
            assertThat(kept.at("/messages/below_write_quorum").asInt()).isZero();
            assertThat(kept.get("looked_at").asString()).endsWith("Z");
        });
        assertThat(send(
                                "PUT",
                                "/streams/guaranteed",
                                "{\"name\":\"guaranteed\",\"options\":{\"guarantee_write_quorum\":\"false\"}}")
                        .status())
                .isEqualTo(204);
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                        get("/streams/guaranteed/topics/t/partitions/0/replication")
                                .json()
                                .at("/kept/guaranteed")
                                .asBoolean(true))
                .isFalse());
    }

    @Test
    void bookiesTellOfThemselvesAndAreGivenRacks() throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonNode bookies = get("/bookies").json();
            assertThat(bookies.size()).isEqualTo(3);
            for (JsonNode bookie : bookies) {
                assertThat(bookie.get("status").asString()).isEqualTo("up");
                assertThat(bookie.get("force_write_queue").isIntegralNumber()).isTrue();
                assertThat(bookie.get("adds_in_progress").isIntegralNumber()).isTrue();
                assertThat(bookie.get("under_replicated_ledgers").asInt(-1)).isZero();
                assertThat(bookie.get("decides_for").isArray()).isTrue();
            }
        });
        String id = cluster.bookies().getFirst().id();
        assertThat(send("PUT", "/bookies/" + id + "/rack", "{\"rack\":\"rack-a\"}")
                        .status())
                .isEqualTo(204);
        assertThat(rackOf(id)).isEqualTo("/rack-a");
        for (String wrong : new String[] {"", "a/b", "../x", "x".repeat(65)}) {
            Reply refused = send("PUT", "/bookies/" + id + "/rack", "{\"rack\":\"" + wrong + "\"}");
            assertThat(refused.status()).as(wrong).isEqualTo(400);
            assertThat(refused.json().get("field").asString()).isEqualTo("rack");
        }
        assertThat(rackOf(id)).isEqualTo("/rack-a");
        assertThat(send("PUT", "/bookies/" + id + "/rack", "{\"rack\":null}").status())
                .isEqualTo(204);
        assertThat(rackOf(id)).isEmpty();
    }

    private static String rackOf(String id) throws Exception {
        for (JsonNode bookie : get("/bookies").json()) {
            if (bookie.get("id").asString().equals(id)) {
                return bookie.path("rack").asString("");
            }
        }
        throw new AssertionError("no bookie " + id);
    }

    @Test
    void theGaugesOfCopiesAndBookiesAreScraped() throws Exception {
        createTopic("metered", "{\"ensemble_size\":\"3\",\"write_quorum\":\"3\"}");
        produce("metered");
        String stream = get("/streams/metered").json().get("id").asString();
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                        get("/actuator/prometheus").body())
                .contains("keptlog_stream_below_write_quorum_messages{stream=\"" + stream + "\"} 0.0")
                .contains("keptlog_stream_unaudited_messages{stream=\"" + stream + "\"} 0.0")
                .contains("bookie_SERVER_STATUS{bookie=\""
                        + cluster.bookies().getFirst().id() + "\"} 1.0")
                .contains("bookkeeper_server_ADD_ENTRY_IN_PROGRESS{")
                .contains("auditor_NUM_UNDER_REPLICATED_LEDGERS 0.0")
                .contains("pulsar_broker_publish_latency{quantile=\"0.99\"}")
                .contains("pulsar_broker_publish_latency_count"));
    }
}
