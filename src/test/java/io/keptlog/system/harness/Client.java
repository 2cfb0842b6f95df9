// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The contract as a system test speaks it, with HTTP Basic. Any number of threads. A connection that breaks throws UncheckedIOException. */
public final class Client {
    public static final String NDJSON = "application/x-ndjson";
    public static final String BYTES = "application/octet-stream";
    private static final String JSON_TYPE = "application/json";
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final URI base;
    private final String authorization;

    public Client(URI base, String username, String password) {
        this.base = base;
        this.authorization = "Basic "
                + Base64.getEncoder().encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    // --- plain HTTP ---

    public Reply send(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(Duration.ofSeconds(120))
                .method(method, body);
        if (!List.of(headers).contains("Authorization")) {
            request.header("Authorization", authorization);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Reply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    public Reply get(String path, String... headers) {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    public Reply delete(String path) {
        return send("DELETE", path, BodyPublishers.noBody());
    }

    public Reply post(String path, Object json) {
        return json("POST", path, json);
    }

    public Reply put(String path, Object json) {
        return json("PUT", path, json);
    }

    private Reply json(String method, String path, Object json) {
        return send(method, path, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(json)), "Content-Type", JSON_TYPE);
    }

    // --- catalog ---

    public void createStream(String name) {
        post("/streams", Map.of("name", name)).expect(200);
    }

    /** A topic with these options; returns its details. */
    public JsonNode createTopic(String stream, String name, int partitions, Map<String, String> options) {
        return post(
                        "/streams/" + stream + "/topics",
                        Map.of(
                                "name",
                                name,
                                "partitions_count",
                                partitions,
                                "compression_algorithm",
                                "none",
                                "message_expiry",
                                0,
                                "max_topic_size",
                                0,
                                "options",
                                options))
                .expect(200)
                .json();
    }

    /** Both policies at one level. */
    public static Map<String, String> policies(String level) {
        return Map.of("durability", level, "consumer_offset_durability", level);
    }

    public static String topic(String stream, String topic) {
        return "/streams/" + stream + "/topics/" + topic;
    }

    // --- messages ---

    public Reply produce(String topic, int partition, List<String> payloads) {
        return produceTo(topic + "/messages", partition, payloads);
    }

    public Reply produceTo(String path, int partition, List<String> payloads) {
        return send("POST", path, BodyPublishers.ofString(produceBody(partition, payloads)), "Content-Type", JSON_TYPE);
    }

    public static String produceBody(int partition, List<String> payloads) {
        byte[] number = {(byte) partition, (byte) (partition >> 8), (byte) (partition >> 16), (byte) (partition >> 24)};
        return "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\""
                + Base64.getEncoder().encodeToString(number)
                + "\"},\"messages\":["
                + payloads.stream()
                        .map(p -> "{\"payload\":\""
                                + Base64.getEncoder().encodeToString(p.getBytes(StandardCharsets.UTF_8))
                                + "\"}")
                        .collect(Collectors.joining(","))
                + "]}";
    }

    /** The base offset that a 201 confirmed. */
    public static long baseOffset(Reply reply) {
        return reply.expect(201).json().at("/confirmations/0/base_offset").asLong();
    }

    public Reply ndjson(String topic, int partition, BodyPublisher lines) {
        return send(
                "POST",
                topic + "/messages",
                lines,
                "Content-Type",
                NDJSON,
                "Keptlog-Partition",
                Integer.toString(partition));
    }

    public Reply poll(String topic, int partition, long offset, int count) {
        return get(topic + "/messages?partition_id=" + partition + "&kind=offset&value=" + offset + "&count=" + count);
    }

    public Reply rawPoll(String topic, int partition, long offset, int count) {
        return get(
                topic + "/messages?partition_id=" + partition + "&kind=offset&value=" + offset + "&count=" + count,
                "Accept",
                BYTES);
    }

    // --- recovery ---

    /** What starts reported about the partitions of a topic. */
    public List<JsonNode> recoveryReports(long topicId) {
        return StreamSupport.stream(get("/recovery").expect(200).json().spliterator(), false)
                .filter(report -> report.path("topic_id").asLong(-1) == topicId)
                .toList();
    }

    // --- consumer offsets ---

    public Reply storeOffset(String topic, int partition, String consumer, long offset) {
        return put(
                topic + "/consumer-offsets",
                Map.of("consumer_id", consumer, "partition_id", partition, "offset", offset));
    }

    public Reply offset(String topic, int partition, String consumer) {
        return get(topic + "/consumer-offsets?consumer_id=" + consumer + "&partition_id=" + partition);
    }
}
