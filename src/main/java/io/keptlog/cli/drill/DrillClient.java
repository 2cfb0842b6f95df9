// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.drill;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the drill asks of its server. Safe for any number of threads. */
final class DrillClient {
    static final String STREAM = "drill";

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final String base;
    private final String authorization;

    DrillClient(int port, String username, String password) {
        this.base = "http://127.0.0.1:" + port;
        byte[] credentials = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT).header("Authorization", authorization);
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, BodyHandlers.ofByteArray());
    }

    boolean isReady() throws InterruptedException {
        try {
            return send(request("/actuator/health/readiness").GET().build()).statusCode() == OK;
        } catch (IOException notYet) {
            return false;
        }
    }

    void create(String topic, String durability, int partitions) throws IOException, InterruptedException {
        post("/streams", "{\"name\":\"" + STREAM + "\"}", true);
        post(
                "/streams/" + STREAM + "/topics",
                "{\"name\":\"" + topic + "\",\"partitions_count\":" + partitions
                        + ",\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0,"
                        + "\"options\":{\"durability\":\"" + durability + "\",\"segment_size\":\"1 MiB\"}}",
                false);
    }

    private void post(String path, String body, boolean mayExist) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
        if (reply.statusCode() != OK && !mayExist) {
            throw new IOException(path + " answers " + reply.statusCode() + ": " + text(reply));
        }
    }

    /**
     * @return the message's offset; −1 when it was not acknowledged
     */
    long produce(String topic, int partition, byte[] payload) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = send(request("/streams/" + STREAM + "/topics/" + topic + "/messages")
                .header("Content-Type", "application/octet-stream")
                .header("Keptlog-Partition", Integer.toString(partition))
                .POST(BodyPublishers.ofByteArray(payload))
                .build());
        if (reply.statusCode() != CREATED) {
            return -1;
        }
        return JSON.readTree(reply.body())
                .path("confirmations")
                .path(0)
                .path("base_offset")
                .asLong(-1);
    }

    /** One poll of a partition. */
    JsonNode poll(String topic, int partition, long from, int count) throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = send(request("/streams/" + STREAM + "/topics/" + topic + "/messages?partition_id="
                        + partition + "&kind=offset&value=" + from + "&count=" + count)
                .GET()
                .build());
        if (reply.statusCode() != OK) {
            throw new IOException("a poll answers " + reply.statusCode() + ": " + text(reply));
        }
        return JSON.readTree(reply.body());
    }

    private static String text(HttpResponse<byte[]> reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
