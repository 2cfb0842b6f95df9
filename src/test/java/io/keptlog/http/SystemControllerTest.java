// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class SystemControllerTest {
    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;

    @Autowired
    SystemControllerTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @Test
    void pingNeedsNobodyAndIgnoresAStaleToken() {
        for (Api api : new Api[] {
            Api.anonymous(mvc), new Api(mvc, ""), new Api(mvc, "Bearer "), Api.bearer(mvc, "stale.to.ken"), root
        }) {
            assertThat(api.get("/ping").expect(200).body()).isEqualTo("pong");
        }
    }

    @Test
    void theRootIsThereForEverybody() {
        assertThat(Api.anonymous(mvc).get("/").expect(200).body()).contains("Keptlog");
    }

    @Test
    void statisticsAreRealInEveryMember() {
        String topic = fixture.topic(2);
        fixture.send(topic, 0, "a", "b");
        root.post(topic + "/consumer-groups", "{\"name\":\"g\"}").expect(200);
        JsonNode stats = root.get("/stats").expect(200).json();
        for (String count : new String[] {
            "process_id",
            "run_time",
            "start_time",
            "streams_count",
            "topics_count",
            "partitions_count",
            "segments_count",
            "messages_count",
            "clients_count",
            "consumer_groups_count",
            "iggy_server_semver",
            "threads_count"
        }) {
            assertThat(stats.path(count).isIntegralNumber()).as(count).isTrue();
            assertThat(stats.path(count).asLong()).as(count).isPositive();
        }
        for (String size : new String[] {
            "memory_usage",
            "total_memory",
            "available_memory",
            "read_bytes",
            "written_bytes",
            "messages_size_bytes",
            "free_disk_space",
            "total_disk_space"
        }) {
            assertThat(stats.path(size).asString()).as(size).matches("\\d+(\\.\\d+)? [KMGT]?B");
        }
        for (String used : new String[] {
            "memory_usage",
            "total_memory",
            "available_memory",
            "written_bytes",
            "messages_size_bytes",
            "free_disk_space",
            "total_disk_space"
        }) {
            assertThat(stats.path(used).asString()).as(used).isNotEqualTo("0 B");
        }
        for (String text : new String[] {"hostname", "os_name", "os_version", "kernel_version"}) {
            assertThat(stats.path(text).asString()).as(text).isNotBlank();
        }
        assertThat(stats.path("cpu_usage").isNumber()).isTrue();
        assertThat(stats.path("total_cpu_usage").isNumber()).isTrue();
        assertThat(stats.path("iggy_server_version").asString()).isEqualTo("0.8.0");
        assertThat(stats.path("cache_metrics").isObject()).isTrue();
        assertThat(stats.path("process_id").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        fixture.send(topic, 0, "c");
        assertThat(root.get("/stats").json().path("messages_count").asLong())
                .isEqualTo(stats.path("messages_count").asLong() + 1);
    }

    @Test
    void metricsAreOpenMetricsWithIggysGauges() {
        Api.Reply first = root.get("/metrics").expect(200);
        assertThat(first.response().getContentType()).startsWith("application/openmetrics-text");
        for (String gauge :
                new String[] {"streams", "topics", "partitions", "segments", "messages", "users", "clients"}) {
            assertThat(first.body())
                    .contains("# TYPE " + gauge + " gauge\n")
                    .containsPattern("(?m)^" + gauge + " \\d+$");
        }
        assertThat(first.body()).contains("# TYPE http_requests counter\n").endsWith("# EOF\n");
        fixture.stream();
        String second = root.get("/metrics").expect(200).body();
        assertThat(value(second, "streams")).isEqualTo(value(first.body(), "streams") + 1);
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(10))
                .until(() -> value(root.get("/metrics").body(), "http_requests_total")
                        > value(first.body(), "http_requests_total"));
    }

    private static long value(String metrics, String name) {
        return metrics.lines()
                .filter(l -> l.startsWith(name + " "))
                .mapToLong(l -> Long.parseLong(l.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClientIsAUserAtAnAddress() {
        JsonNode clients = root.get("/clients").expect(200).json();
        JsonNode mine = clients.valueStream()
                .filter(c -> c.path("user_id").asInt(-1) == 0)
                .findFirst()
                .orElseThrow();
        assertThat(mine.propertyNames())
                .containsExactlyInAnyOrder("client_id", "user_id", "address", "transport", "consumer_groups_count");
        assertThat(mine.path("transport").asString()).isEqualTo("http");
        assertThat(mine.path("address").asString()).isEqualTo("127.0.0.1");
        JsonNode one =
                root.get("/clients/" + mine.path("client_id")).expect(200).json();
        assertThat(one.path("consumer_groups").isArray()).isTrue();
        root.get("/clients/4000000000").refused(404, 100, "client_not_found");
        root.get("/clients/x").refused(400, 4, "invalid_format");
    }

    @Test
    void theClusterIsThisNode() {
        JsonNode cluster = root.get("/cluster/metadata").expect(200).json();
        assertThat(cluster.path("name").asString()).isNotBlank();
        JsonNode node = cluster.at("/nodes/0");
        assertThat(node.path("role").asString()).isEqualTo("leader");
        assertThat(node.path("status").asString()).isEqualTo("healthy");
        assertThat(node.path("ip").asString()).isNotBlank();
        assertThat(node.path("endpoints").propertyNames())
                .containsExactlyInAnyOrder("tcp", "quic", "http", "websocket");
        assertThat(node.at("/endpoints/http").asInt()).isPositive();
    }

    @Test
    void optionsOfTheThreeScopes() {
        JsonNode topic = root.get("/options/topic").expect(200).json();
        assertThat(topic.valueStream().map(o -> o.path("key").asString()).toList())
                .containsExactly(
                        "compression_algorithm",
                        "message_expiry",
                        "max_topic_size",
                        "segment_size",
                        "durability",
                        "consumer_offset_durability",
                        "messages_required_to_save",
                        "size_of_messages_required_to_save",
                        "preallocate_segments");
        for (JsonNode option : topic) {
            assertThat(option.propertyNames()).containsExactlyInAnyOrder("key", "kind", "default_value", "description");
            assertThat(option.path("kind").asString()).isIn("string", "bool", "uint32", "uint64");
            assertThat(option.path("description").asString()).isNotBlank();
        }
        assertThat(topic.at("/6/default_value").toString()).isEqualTo("[0,4,0,0]");
        assertThat(root.get("/options/stream").expect(200).json().isArray()).isTrue();
        assertThat(root.get("/options/user").expect(200).json().isEmpty()).isTrue();
        root.get("/options/planet").refused(400, 3, "invalid_command");
    }

    @Test
    void repliesToKnownCallersCarryTheViewAndReadsTakeAConsistency() {
        for (String path : new String[] {"/streams", "/streams/absent", "/stats"}) {
            assertThat(root.get(path).response().getHeader("Iggy-View"))
                    .as(path)
                    .isEqualTo("0");
        }
        assertThat(root.post("/streams", "{}").response().getHeader("Iggy-View"))
                .isEqualTo("0");
        assertThat(Api.anonymous(mvc).get("/streams").response().getHeader("Iggy-View"))
                .isNull();
        root.get("/streams?consistency=serializable").expect(200);
        root.get("/streams?consistency=linearizable").expect(200);
        for (String bad : new String[] {"", "eventual", "LINEARIZABLE"}) {
            JsonNode refused =
                    root.get("/streams?consistency=" + bad).expect(400).json();
            assertThat(refused.path("field").asString()).isEqualTo("consistency");
        }
    }

    private Map<String, String> snapshot(String json) throws IOException {
        Api.Reply reply = root.post("/snapshot", json).expect(200);
        assertThat(reply.response().getContentType()).isEqualTo("application/zip");
        assertThat(reply.response().getHeader("Content-Disposition"))
                .matches("attachment; filename=\"keptlog_snapshot_\\d{8}T\\d{6}Z\\.zip\"");
        var files = new LinkedHashMap<String, String>();
        try (var zip =
                new ZipInputStream(new ByteArrayInputStream(reply.response().getContentAsByteArray()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    @Test
    void aSnapshotHoldsWhatHelpsAndNoSecretAndNoMessage() throws IOException {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a message that stays inside");
        root.get(topic + "/messages/flush/0/true").expect(200);
        Map<String, String> files = snapshot("{\"compression\":\"Deflated\",\"snapshot_types\":[\"All\"]}");
        assertThat(files.keySet())
                .containsExactlyInAnyOrder(
                        "settings.properties",
                        "server.log",
                        "recovery.txt",
                        "files.txt",
                        "processes.txt",
                        "threads.txt",
                        "memory.txt",
                        "stats.txt",
                        "test.txt");
        assertThat(files.get("settings.properties"))
                .contains("keptlog.root-password=(not shown)")
                .contains("keptlog.retention-interval=1d");
        assertThat(files.get("files.txt")).contains("secret/jwt.key").contains(".log");
        assertThat(files.get("threads.txt")).contains("main");
        assertThat(files.get("processes.txt"))
                .contains(Long.toString(ProcessHandle.current().pid()));
        assertThat(files.get("server.log")).isNotBlank();
        String everything = String.join("\n", files.values());
        assertThat(everything)
                .doesNotContain("could not be made")
                .doesNotContain("hash of secret")
                .doesNotContain("a message that stays inside")
                .doesNotContain("=secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Stored", "Deflated", "Bzip2", "Zstd", "Lzma", "Xz"})
    void everyCompressionAndTypeOfIggyIsTaken(String compression) throws IOException {
        Map<String, String> test =
                snapshot("{\"compression\":\"" + compression + "\",\"snapshot_types\":[\"Test\",\"ResourceUsage\"]}");
        assertThat(test.keySet()).containsExactlyInAnyOrder("test.txt", "memory.txt", "stats.txt");
    }

    @Test
    void aSnapshotOfNothingOrOfSomethingUnknownIsRefused() throws IOException {
        root.post("/snapshot", "{\"compression\":\"Stored\",\"snapshot_types\":[]}")
                .refused(400, 3, "invalid_command");
        root.post("/snapshot", "{\"compression\":\"Rar\",\"snapshot_types\":[\"All\"]}")
                .expect(400);
        root.post("/snapshot", "{\"compression\":\"Stored\",\"snapshot_types\":[\"Everything\"]}")
                .expect(400);
        root.post("/snapshot", "{\"compression\":1}").expect(400);
        root.post("/snapshot", "{\"compression\":\"\"}").expect(400);
        assertThat(snapshot("{}")).hasSize(9);
    }
}
