// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dev-cluster command of the finished jar as a child process, and HTTP to its brokers. */
public final class ClusterProcesses implements AutoCloseable {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("root:root-password".getBytes(StandardCharsets.UTF_8));

    private final Process process;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    /** Name → pid. */
    final Map<String, Long> pids = new TreeMap<>();
    /** Addresses by broker, http://… */
    public final List<String> brokers = new ArrayList<>();
    /** Bookie name → id. */
    final Map<String, String> bookies = new TreeMap<>();

    public ClusterProcesses(Path directory, int bookieCount, int brokerCount, String... more) throws Exception {
        var command = new ArrayList<>(List.of(
                JAVA,
                "-Xmx64m",
                "-jar",
                System.getProperty("keptlog.jar"),
                "dev-cluster",
                "--bookies",
                Integer.toString(bookieCount),
                "--brokers",
                Integer.toString(brokerCount),
                "--port",
                "0",
                "--dir",
                directory.toString()));
        command.addAll(List.of(more));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KEPTLOG_ROOT_USERNAME", "root");
        builder.environment().put("KEPTLOG_ROOT_PASSWORD", "root-password");
        process = builder.start();
        var ready = new CompletableFuture<String>();
        var said = new StringBuffer();
        Thread.ofPlatform().daemon().start(() -> {
            try (var lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    said.append(line).append('\n');
                    note(line);
                    if (line.startsWith("dev-cluster is ready")) {
                        ready.complete(line);
                    }
                }
            } catch (java.io.IOException e) {
                said.append(e);
            }
            ready.completeExceptionally(new IllegalStateException("dev-cluster ended: " + said));
        });
        ready.get(600, TimeUnit.SECONDS);
    }

    private synchronized void note(String line) {
        String[] words = line.trim().split("\\s+");
        if (words.length >= 3 && words[1].equals("pid")) {
            pids.put(words[0], Long.parseLong(words[2]));
            if (words.length >= 4 && words[3].startsWith("http://")) {
                brokers.add(words[3]);
            }
            if (words[0].startsWith("bookie-")) {
                bookies.put(words[0], words[3]);
            }
        }
    }

    public void signal(String name, String signal) throws Exception {
        long pid = pids.get(name);
        int code = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .start()
                .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + signal + " " + name + " " + pid + ": " + code);
        }
    }

    /** @return the process started in place of a killed bookie; the caller closes it */
    Process restartBookie(String name, Path directory) throws Exception {
        String id = bookies.get(name);
        int zooKeeper = Integer.parseInt(
                java.nio.file.Files.readString(directory.resolve("zookeeper").resolve("port"))
                        .strip());
        var builder = new ProcessBuilder(
                JAVA,
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-jar",
                System.getProperty("keptlog.jar"),
                "dev-bookie",
                "--dir",
                directory.resolve(name).resolve("data").toAbsolutePath().toString(),
                "--port",
                id.substring(id.lastIndexOf(':') + 1),
                "--zookeeper-port",
                Integer.toString(zooKeeper));
        builder.redirectErrorStream(true);
        builder.redirectOutput(directory.resolve(name).resolve("log2").toFile());
        return builder.start();
    }

    record Reply(int status, String body, HttpResponse<String> response) {
        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    Reply send(String address, String method, String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", BASIC)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body(), response);
    }

    void createTopic(String stream, Map<String, String> streamOptions, String topic, int partitions) throws Exception {
        createTopic(stream, streamOptions, topic, partitions, "persisted");
    }

    void createTopic(String stream, Map<String, String> streamOptions, String topic, int partitions, String durability)
            throws Exception {
        Reply made = send(
                brokers.getFirst(),
                "POST",
                "/streams",
                JSON.writeValueAsString(Map.of("name", stream, "options", streamOptions)));
        if (made.status() != 200) {
            throw new AssertionError(made.body());
        }
        made = send(
                brokers.getFirst(),
                "POST",
                "/streams/" + stream + "/topics",
                "{\"name\":\"" + topic + "\",\"partitions_count\":" + partitions
                        + ",\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0,"
                        + "\"options\":{\"durability\":\"" + durability + "\"}}");
        if (made.status() != 200) {
            throw new AssertionError(made.body());
        }
    }

    Reply produce(String address, String stream, String topic, int partition, String payload) throws Exception {
        String value = Base64.getEncoder().encodeToString(new byte[] {(byte) partition, 0, 0, 0});
        String encoded = Base64.getEncoder().encodeToString(payload.getBytes(StandardCharsets.UTF_8));
        return send(
                address,
                "POST",
                "/streams/" + stream + "/topics/" + topic + "/messages",
                "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"" + value
                        + "\"},\"messages\":[{\"payload\":\"" + encoded + "\"}]}");
    }

    /** Every payload of a partition, by its offset. */
    List<String> readAll(String address, String stream, String topic, int partition) throws Exception {
        var payloads = new ArrayList<String>();
        while (true) {
            Reply polled = send(
                    address,
                    "GET",
                    "/streams/" + stream + "/topics/" + topic + "/messages?partition_id=" + partition
                            + "&kind=offset&value=" + payloads.size() + "&count=1000",
                    null);
            if (polled.status() != 200) {
                throw new AssertionError(polled.status() + " " + polled.body());
            }
            JsonNode messages = polled.json().get("messages");
            if (messages.isEmpty()) {
                return payloads;
            }
            for (JsonNode message : messages) {
                long offset = message.get("header").get("offset").asLong();
                if (offset != payloads.size()) {
                    throw new AssertionError("offset " + offset + " at " + payloads.size());
                }
                payloads.add(new String(
                        Base64.getDecoder().decode(message.get("payload").asString()), StandardCharsets.UTF_8));
            }
        }
    }

    @Override
    public void close() throws Exception {
        http.close();
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
