// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** The two servers of a run, and the requests that are sent to them. */
final class Setup implements AutoCloseable {
    static final String STREAM = "bench";

    /** As many as the product takes, so that both meet the same scheduler. */
    static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism="
            + Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

    final ServerProcess product;
    final ServerProcess noop;
    final Client client;
    private final Requests requests;

    Setup(Path directory) {
        product = ServerProcess.startForMeasuring(directory.resolve("data"));
        noop = ServerProcess.spawn(
                List.of(
                        ServerProcess.java(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Setup.CARRIERS,
                        "-D" + NoopServer.FILE_DIRECTORY + "=" + directory,
                        NoopServer.class.getName(),
                        "--server.port=0",
                        ServerProcess.SHOW_PORT),
                Map.of(),
                directory.resolve("noop.log"));
        noop.awaitPort();
        client = product.client();
        requests = Requests.of(client);
        client.createStream(STREAM);
    }

    /** A new topic with both policies at this level; returns its path. */
    String topic(String name, String level) {
        client.createTopic(STREAM, name, 1, Client.policies(level));
        return Client.topic(STREAM, name);
    }

    byte[] post(String path, String type, byte[] body) {
        return requests.post(path, type, body);
    }

    byte[] get(String path) {
        return requests.get(path);
    }

    /** A JSON body of messages with random payloads of this size, all to partition 0. */
    static byte[] messages(int count, int payloadBytes) {
        Random random = new Random(42);
        List<String> payloads = IntStream.range(0, count)
                .mapToObj(i -> random.ints(payloadBytes, ' ', '~')
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString())
                .toList();
        return Client.produceBody(0, payloads).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try (product;
                noop) {
            // both are killed
        }
    }
}
