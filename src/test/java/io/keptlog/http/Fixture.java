// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Streams, topics and messages for the tests of the whole server; every name is new. */
record Fixture(Api root) {
    private static final AtomicInteger MADE = new AtomicInteger();
    static final String NEVER = "18446744073709551615";

    static Fixture of(MockMvc mvc) {
        return new Fixture(Api.root(mvc));
    }

    static String freshName(String kind) {
        return kind + "-" + MADE.incrementAndGet();
    }

    static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A new stream's details. */
    JsonNode stream() {
        return root.post("/streams", "{\"name\":\"" + freshName("stream") + "\"}")
                .expect(200)
                .json();
    }

    static String topicJson(String name, int partitions, String options) {
        return "{\"name\":\"" + name + "\",\"partitions_count\":" + partitions
                + ",\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0,\"options\":" + options
                + "}";
    }

    /** The path of a new topic in a new stream. */
    String topic(int partitions, String options) {
        int stream = stream().path("id").asInt();
        int topic = root.post("/streams/" + stream + "/topics", topicJson(freshName("topic"), partitions, options))
                .expect(200)
                .json()
                .path("id")
                .asInt();
        return "/streams/" + stream + "/topics/" + topic;
    }

    String topic(int partitions) {
        return topic(partitions, "{}");
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String partition(int id) {
        byte[] number = {(byte) id, (byte) (id >> 8), (byte) (id >> 16), (byte) (id >> 24)};
        return "{\"kind\":\"partition_id\",\"value\":\"" + Base64.getEncoder().encodeToString(number) + "\"}";
    }

    static String body(String partitioning, String... payloads) {
        return "{\"partitioning\":" + partitioning + ",\"messages\":["
                + List.of(payloads).stream()
                        .map(p -> "{\"payload\":\"" + base64(p) + "\"}")
                        .collect(Collectors.joining(","))
                + "]}";
    }

    Api.Reply send(String topic, int partition, String... payloads) {
        return root.post(topic + "/messages", body(partition(partition), payloads))
                .expect(201);
    }

    JsonNode poll(String topic, String query) {
        return root.get(topic + "/messages?" + query).expect(200).json();
    }

    static List<String> payloads(JsonNode polled) {
        return polled.path("messages")
                .valueStream()
                .map(m ->
                        new String(Base64.getDecoder().decode(m.path("payload").asString()), StandardCharsets.UTF_8))
                .toList();
    }

    static List<Long> offsets(JsonNode polled) {
        return polled.path("messages")
                .valueStream()
                .map(m -> m.at("/header/offset").asLong())
                .toList();
    }

    /** As {@link #seal}; everything is on stable storage, so that retention may take it. */
    void sealAndSync(String topic, int segments) {
        seal(topic, segments);
        root.get(topic + "/messages/flush/0/true").expect(200);
    }

    /** Segments of 1 MiB, filled until so many are sealed. */
    void seal(String topic, int segments) {
        String payload = "x".repeat(600_000);
        for (int i = 0; i < segments + 1; i++) {
            send(topic, 0, payload);
        }
    }
}
