// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests of Apache Iggy's Rust client (core/sdk/src/http), byte for byte as its command line sends them over HTTP, and in the order
 * in which its benchmark tool makes them (core/bench). The command line itself is run by IggyCliIT where there is one.
 */
@ServerTest
class IggyRustClientTest {
    private static final String FLAGS =
            "\"manage_servers\":false,\"read_servers\":false,\"manage_users\":false,\"read_users\":false,"
                    + "\"manage_streams\":false,\"read_streams\":false,\"manage_topics\":false,\"read_topics\":false,"
                    + "\"poll_messages\":true,\"send_messages\":false";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @LocalServerPort
    int port;

    /** One client: a token, once it has logged in; before that an empty bearer, as the Rust client sends it. */
    private final class Client {
        private String token = "";

        Client login() {
            JsonNode identity = send(
                    "POST",
                    "/users/login",
                    "{\"username\":\"iggy\",\"password\":\"secret\",\"version\":\"0.11.0\",\"context\":\"\"}",
                    200);
            token = identity.at("/access_token/token").asString();
            return this;
        }

        JsonNode send(String method, String path, String body, int status) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .timeout(Duration.ofSeconds(60))
                    .header("Authorization", "Bearer " + token)
                    .header("Accept", "*/*");
            if (body.isEmpty()) {
                request.method(method, HttpRequest.BodyPublishers.noBody());
            } else {
                request.header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
            }
            try {
                HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(response.statusCode())
                        .as(method + " " + path + " " + new String(response.body(), StandardCharsets.UTF_8))
                        .isEqualTo(status);
                boolean json =
                        response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
                return json
                        ? JsonMapper.shared().readTree(response.body())
                        : JsonMapper.shared().missingNode();
            } catch (java.io.IOException | InterruptedException e) {
                throw new AssertionError(method + " " + path, e);
            }
        }

        JsonNode get(String path) {
            return send("GET", path, "", 200);
        }
    }

    private static String createTopic(int partitions) {
        return "{\"partitions_count\":" + partitions + ",\"compression_algorithm\":\"none\",\"message_expiry\":"
                + Fixture.NEVER + ",\"max_topic_size\":0,\"name\":\"topic-1\",\"options\":{"
                + "\"consumer_offset_durability\":\"replicated\",\"durability\":\"replicated\"}}";
    }

    @Test
    void everyRequestOfTheCommandLineIsUnderstood() {
        var client = new Client();
        client.send("GET", "/ping", "", 200);
        client.login();
        client.send("POST", "/streams", "{\"name\":\"rust\"}", 200);
        client.send("POST", "/streams/rust/topics", createTopic(2), 200);
        String topic = "/streams/rust/topics/topic-1";
        client.send(
                "POST",
                topic + "/messages",
                "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":[{\"id\":0,\"payload\":\"aGVsbG8=\"}]}",
                201);
        client.send(
                "POST",
                topic + "/messages",
                "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":[{\"id\":0,\"payload\":\"aHg=\","
                        + "\"user_headers\":[{\"key\":{\"kind\":\"string\",\"value\":\"YQ==\"},\"value\":{\"kind\":\"string\","
                        + "\"value\":\"dmFs\"}}]}]}",
                201);
        JsonNode polled = client.get(
                topic + "/messages?consumer_id=0&partition_id=0&kind=offset&value=0&count=9&auto_commit=false");
        assertThat(polled.path("count").asInt()).isEqualTo(2);
        assertThat(client.get(topic
                                + "/messages?consumer_id=c5&partition_id=0&kind=next&value=0&count=1&auto_commit=true")
                        .path("count")
                        .asInt())
                .isEqualTo(1);
        client.send("GET", topic + "/messages/flush/0/fsync=false?partition_id=0&fsync=false", "", 200);
        client.send("GET", topic + "/messages/flush/0/fsync=true?partition_id=0&fsync=true", "", 200);
        client.send("PUT", topic + "/consumer-offsets", "{\"consumer_id\":\"5\",\"partition_id\":0,\"offset\":0}", 204);
        assertThat(client.get(topic + "/consumer-offsets?consumer_id=5&partition_id=0")
                        .path("stored_offset")
                        .asInt(-1))
                .isZero();
        client.send("DELETE", topic + "/consumer-offsets/5?partition_id=0", "", 204);
        client.send("DELETE", topic + "/partitions/0?segments_count=1", "", 204);
        client.send("DELETE", topic + "/partitions?partitions_count=1", "", 204);
        client.send(
                "PUT",
                topic,
                "{\"compression_algorithm\":\"gzip\",\"message_expiry\":172800000000,\"max_topic_size\":0,"
                        + "\"name\":\"topic-1\",\"options\":{}}",
                204);
        client.send("PUT", "/streams/rust", "{\"name\":\"rust-2\",\"options\":{}}", 204);
        client.send("POST", "/snapshot", "{\"compression\":\"Deflated\",\"snapshot_types\":[\"ServerLogs\"]}", 200);
        client.send("POST", "/personal-access-tokens", "{\"name\":\"rust\",\"expiry\":86400000000}", 200);
        client.send("DELETE", "/personal-access-tokens/rust", "", 204);
        users(client);
        client.send("DELETE", "/users/logout", "", 204);
        client.send("GET", "/streams", "", 401);
    }

    private static void users(Client client) {
        client.send(
                "POST",
                "/users",
                "{\"username\":\"rust-user\",\"password\":\"secretpw\",\"status\":\"active\",\"permissions\":{\"global\":{"
                        + FLAGS + "},\"streams\":null}}",
                200);
        client.send("PUT", "/users/rust-user/permissions", "{\"permissions\":null}", 204);
        client.send("PUT", "/users/rust-user", "{\"username\":null,\"status\":\"inactive\",\"options\":{}}", 204);
        client.send(
                "PUT",
                "/users/rust-user/password",
                "{\"current_password\":\"secretpw\",\"new_password\":\"otherpw\"}",
                204);
        client.send("DELETE", "/users/rust-user", "", 204);
        client.send("GET", "/users/rust-user", "", 404);
    }

    /** core/bench: streams and topics when they are missing, then producers and consumers side by side, then statistics and logs. */
    @Test
    void theBenchmarkToolsSequenceOfRequestsWorks() throws Exception {
        var admin = new Client().login();
        int streams = 2;
        assertThat(admin.get("/streams").isArray()).isTrue();
        for (int i = 1; i <= streams; i++) {
            admin.send("POST", "/streams", "{\"name\":\"bench-stream-" + i + "\"}", 200);
            admin.send("POST", "/streams/bench-stream-" + i + "/topics", createTopic(1), 200);
        }
        try (ExecutorService actors = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = IntStream.rangeClosed(1, streams)
                    .boxed()
                    .flatMap(i -> List.of(actors.submit(() -> produce(i)), actors.submit(() -> consume(i))).stream())
                    .toList();
            for (Future<Integer> actor : all) {
                assertThat(actor.get(120, TimeUnit.SECONDS)).isEqualTo(BATCHES * BATCH);
            }
        }
        JsonNode stats = admin.get("/stats");
        assertThat(stats.path("messages_count").asLong()).isGreaterThanOrEqualTo((long) streams * BATCHES * BATCH);
        admin.send("POST", "/snapshot", "{\"compression\":\"Deflated\",\"snapshot_types\":[\"ServerLogs\"]}", 200);
        admin.send("DELETE", "/streams/bench-stream-1", "", 204);
        admin.send("DELETE", "/streams/bench-stream-2", "", 204);
    }

    private static final int BATCHES = 5;
    private static final int BATCH = 1000;

    private int produce(int stream) {
        var client = new Client().login();
        String message = "{\"id\":0,\"payload\":\"" + Base64.getEncoder().encodeToString(new byte[1000]) + "\"}";
        String body = "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":["
                + (message + ",").repeat(BATCH - 1) + message + "]}";
        for (int i = 0; i < BATCHES; i++) {
            client.send("POST", "/streams/bench-stream-" + stream + "/topics/topic-1/messages", body, 201);
        }
        return BATCHES * BATCH;
    }

    /** Offsets go on by what came; an empty reply is asked again. */
    private int consume(int stream) {
        var client = new Client().login();
        int offset = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (offset < BATCHES * BATCH) {
            if (System.nanoTime() > end) {
                throw new AssertionError("only " + offset + " messages came");
            }
            JsonNode polled = client.get("/streams/bench-stream-" + stream
                    + "/topics/topic-1/messages?consumer_id=" + stream + "&partition_id=0&kind=offset&value=" + offset
                    + "&count=" + BATCH + "&auto_commit=false");
            int count = polled.path("messages").size();
            assertThat(polled.path("count").asInt(-1)).isEqualTo(count);
            if (count > 0) {
                assertThat(polled.at("/messages/0/header/offset").asInt(-1)).isEqualTo(offset);
            }
            offset += count;
        }
        return offset;
    }
}
