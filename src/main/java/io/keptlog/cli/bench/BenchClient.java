// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The requests of a measurement. Safe for any number of threads; as many connections as threads that ask at the same time. */
final class BenchClient implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int SUCCESS_FROM = 200;
    private static final int SUCCESS_TO = 300;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final String base;
    private final String stream;
    private final String authorization;

    /**
     * Logs in.
     *
     * @param stream the name of the stream that the measurement makes and deletes
     * @throws IOException the server does not answer, or refuses the login
     */
    BenchClient(URI url, String username, String password, String stream) throws IOException, InterruptedException {
        this.base = url.toString().replaceAll("/+$", "");
        this.stream = stream;
        String body = JSON.writeValueAsString(Map.of("username", username, "password", password));
        JsonNode reply = JSON.readTree(expect(send("POST", "/users/login", body, null)));
        this.authorization = "Bearer " + reply.at("/access_token/token").asString();
    }

    private HttpResponse<byte[]> send(String method, String path, String body, @Nullable String caller)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (caller != null) {
            request.header("Authorization", caller);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static byte[] expect(HttpResponse<byte[]> reply) throws IOException {
        if (!isSuccess(reply.statusCode())) {
            throw new IOException(reply.request().method() + " " + reply.uri().getPath() + " answers "
                    + reply.statusCode() + ": " + new String(reply.body(), StandardCharsets.UTF_8));
        }
        return reply.body();
    }

    static boolean isSuccess(int status) {
        return status >= SUCCESS_FROM && status < SUCCESS_TO;
    }

    void createStream() throws IOException, InterruptedException {
        expect(send("POST", "/streams", JSON.writeValueAsString(Map.of("name", stream)), authorization));
    }

    void createTopic(String name, String durability, int partitions) throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(Map.of(
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
                Map.of("durability", durability)));
        expect(send("POST", "/streams/" + stream + "/topics", body, authorization));
    }

    void deleteStream() throws IOException, InterruptedException {
        expect(send("DELETE", "/streams/" + stream, "", authorization));
    }

    void deleteTopic(String name) throws IOException, InterruptedException {
        expect(send("DELETE", "/streams/" + stream + "/topics/" + name, "", authorization));
    }

    HttpRequest produce(String topic, String ack, byte[] body) {
        return messages(topic, "?ack=" + ack, BodyPublishers.ofByteArray(body), "POST");
    }

    HttpRequest poll(String topic, int partition, long offset, int count) {
        String query = "?partition_id=" + partition + "&kind=offset&value=" + offset + "&count=" + count;
        return messages(topic, query, BodyPublishers.noBody(), "GET");
    }

    private HttpRequest messages(String topic, String query, BodyPublisher body, String method) {
        return HttpRequest.newBuilder(
                        URI.create(base + "/streams/" + stream + "/topics/" + topic + "/messages" + query))
                .timeout(TIMEOUT)
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
    }

    <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) throws IOException, InterruptedException {
        return http.send(request, handler);
    }

    /** One poll, read. */
    JsonNode polled(String topic, int partition, long offset, int count) throws IOException, InterruptedException {
        return JSON.readTree(expect(send(poll(topic, partition, offset, count), BodyHandlers.ofByteArray())));
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
