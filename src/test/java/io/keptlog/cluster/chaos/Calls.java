// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP to any broker. A connection that breaks, or no answer in time, is an answer of status 0: nothing is known. Thread-safe. */
final class Calls implements AutoCloseable {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration TIMEOUT = Duration.ofSeconds(12);
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("root:root-password".getBytes(StandardCharsets.UTF_8));

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    record Answer(int status, String body) {
        JsonNode json() {
            return JSON.readTree(body);
        }

        /** Certainly without effect. */
        boolean refused() {
            return status >= 400 && status < 500 || status == 503;
        }
    }

    Answer send(String address, String method, String path, @Nullable String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(TIMEOUT)
                .header("Authorization", BASIC)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> reply = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(reply.statusCode(), reply.body());
        } catch (IOException e) {
            return new Answer(0, String.valueOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(0, "interrupted");
        }
    }

    Answer produce(String address, int slot, List<String> names, String... headers) {
        String value = Base64.getEncoder().encodeToString(new byte[] {(byte) ChaosPlan.partition(slot), 0, 0, 0});
        String messages = names.stream()
                .map(n -> "{\"payload\":\""
                        + Base64.getEncoder().encodeToString(Payloads.of(n).getBytes(StandardCharsets.UTF_8))
                        + "\"}")
                .collect(Collectors.joining(","));
        return send(
                address,
                "POST",
                ChaosPlan.topic(slot) + "/messages",
                "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"" + value + "\"},\"messages\":[" + messages
                        + "]}",
                headers);
    }

    Answer poll(String address, int slot, long offset, int count) {
        return send(
                address,
                "GET",
                ChaosPlan.topic(slot) + "/messages?partition_id=" + ChaosPlan.partition(slot) + "&kind=offset&value="
                        + offset + "&count=" + count,
                null);
    }

    static String payload(JsonNode message) {
        return new String(Base64.getDecoder().decode(message.get("payload").asString()), StandardCharsets.UTF_8);
    }

    static long offset(JsonNode message) {
        return message.get("header").get("offset").asLong();
    }

    Answer storeOffset(String address, int slot, int consumer, long offset) {
        return send(
                address,
                "PUT",
                ChaosPlan.topic(slot) + "/consumer-offsets",
                "{\"consumer_id\":" + consumer + ",\"partition_id\":" + ChaosPlan.partition(slot) + ",\"offset\":"
                        + offset + "}");
    }

    Answer readOffset(String address, int slot, int consumer) {
        return send(
                address,
                "GET",
                ChaosPlan.topic(slot) + "/consumer-offsets?consumer_id=" + consumer + "&partition_id="
                        + ChaosPlan.partition(slot),
                null);
    }

    @Override
    public void close() {
        http.close();
    }
}
