// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The product beside other products, in turns on the same machine, best round of each: durable-streams over HTTP, where every append is
 * synced, and Redis streams with {@code appendfsync always}, not over HTTP. The product's topic is {@code persisted}. Started by
 * bench/peers.sh, which installs what is missing; seconds per measurement: {@code -Dbench.seconds=5}.
 */
@Tag("bench")
class PeersIT {
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));
    private static final int TURNS = 3;
    private static final Path MODULES =
            Path.of("target", "peers", "node_modules").toAbsolutePath();
    private static final int NO_CONTENT = 204;

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    private final List<String> report = new ArrayList<>();

    private record Workload(int messages, int payloadBytes, int connections, int toDurableStreams) {
        String name() {
            return "produce " + messages + " × " + payloadBytes + " B, " + connections + " connections";
        }
    }

    /** With the ratios that are aimed at; 0 where there is none. */
    private static final List<Workload> WORKLOADS = List.of(
            new Workload(1, 1024, 1, 4),
            new Workload(1, 1024, 64, 20),
            new Workload(100, 256, 16, 8),
            new Workload(1000, 256, 16, 6));

    @Test
    void measureBesideOtherProducts() throws IOException {
        report.add("| what, each acknowledgement synced | product /s | peer /s | ratio | aim |");
        report.add("|---|---|---|---|---|");
        try (Setup setup = new Setup(directory)) {
            warmUp(setup);
            durableStreams(setup);
            redis(setup);
        }
        String table = String.join("\n", report) + "\n";
        Files.writeString(Path.of("target", "peers.md"), table);
        System.out.println(table);
        assertThat(report).hasSizeGreaterThan(2);
    }

    private static void warmUp(Setup setup) {
        for (Workload workload : WORKLOADS) {
            product(setup, workload, MEASURED.multipliedBy(2));
        }
    }

    private static double product(Setup setup, Workload workload, Duration measured) {
        String topic = setup.topic("peers" + System.nanoTime(), "persisted");
        byte[] body = Setup.messages(workload.messages(), workload.payloadBytes());
        double perSecond = new ClosedLoop(
                        setup.product.port(), setup.post(topic + "/messages", "application/json", body), 201)
                .run(workload.connections(), measured.dividedBy(2), measured)
                .perSecond();
        setup.client.delete(topic).expect(NO_CONTENT);
        return perSecond;
    }

    private void durableStreams(Setup setup) throws IOException {
        if (!Files.isDirectory(MODULES)) {
            report.add("| durable-streams is not installed (bench/peers.sh does it) | | | | |");
            return;
        }
        Path script = Path.of("bench", "durable-streams.mjs").toAbsolutePath();
        Path data = Files.createDirectory(directory.resolve("durable-streams"));
        try (Peer peer = Peer.start(
                port -> List.of(
                        "node",
                        script.toString(),
                        MODULES.getParent().toString(),
                        Integer.toString(port),
                        data.toString()),
                directory.resolve("durable-streams.log"))) {
            for (Workload workload : WORKLOADS) {
                double ours = 0;
                double theirs = 0;
                for (int turn = 0; turn < TURNS; turn++) {
                    ours = Math.max(ours, product(setup, workload, MEASURED));
                    theirs = Math.max(theirs, durableStreams(peer, workload));
                }
                row("durable-streams 0.3.7: " + workload.name(), ours, theirs, workload.toDurableStreams());
            }
        }
    }

    private static double durableStreams(Peer peer, Workload workload) {
        String path = "/v1/stream/s" + System.nanoTime();
        try (HttpClient http = HttpClient.newHttpClient()) {
            int status = http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + peer.port() + path))
                                    .header("Content-Type", "application/json")
                                    .PUT(HttpRequest.BodyPublishers.noBody())
                                    .timeout(Duration.ofSeconds(10))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            assertThat(status).isEqualTo(201);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        byte[] body = jsonArray(workload);
        String head =
                "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length + "\r\n\r\n";
        byte[] request = Arrays.copyOf(head.getBytes(StandardCharsets.US_ASCII), head.length() + body.length);
        System.arraycopy(body, 0, request, head.length(), body.length);
        return new ClosedLoop(peer.port(), request, NO_CONTENT)
                .run(workload.connections(), MEASURED.dividedBy(2), MEASURED)
                .perSecond();
    }

    /** Its batches are arrays of JSON values, which it stores one by one. */
    private static byte[] jsonArray(Workload workload) {
        Random random = new Random(42);
        return IntStream.range(0, workload.messages())
                .mapToObj(i -> "{\"payload\":\"" + text(random, workload.payloadBytes()) + "\"}")
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(Random random, int characters) {
        return random.ints(characters, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void redis(Setup setup) throws IOException {
        if (!isInstalled("redis-server") || !isInstalled("redis-benchmark")) {
            report.add("| Redis is not installed (Debian: redis-server, redis-tools) | | | | |");
            return;
        }
        Path data = Files.createDirectory(directory.resolve("redis"));
        try (Peer peer = Peer.start(
                port -> List.of(
                        "redis-server",
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always",
                        "--dir",
                        data.toString()),
                directory.resolve("redis.log"))) {
            for (Workload workload : WORKLOADS.subList(0, 2)) {
                double ours = 0;
                double theirs = 0;
                for (int turn = 0; turn < TURNS; turn++) {
                    ours = Math.max(ours, product(setup, workload, MEASURED));
                    theirs = Math.max(theirs, redis(peer, workload));
                }
                row("Redis XADD, not HTTP: " + workload.name(), ours, theirs, 0);
            }
        }
    }

    private static double redis(Peer peer, Workload workload) throws IOException {
        int requests = (int) (MEASURED.toSeconds() * (workload.connections() == 1 ? 2_000 : 20_000));
        Process process = new ProcessBuilder(
                        "redis-benchmark",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(peer.port()),
                        "-c",
                        Integer.toString(workload.connections()),
                        "-n",
                        Integer.toString(requests),
                        "--csv",
                        "XADD",
                        "s",
                        "*",
                        "v",
                        text(new Random(42), workload.payloadBytes()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String last = output.strip().lines().reduce((a, b) -> b).orElseThrow();
        String[] quoted = last.substring(last.indexOf("\",\"") + 3).split("\"", 2);
        return Double.parseDouble(quoted[0]);
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":")).anyMatch(at -> Files.isExecutable(Path.of(at, program)));
    }

    private void row(String what, double ours, double theirs, int aim) {
        String line = String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.2f | %s |",
                what,
                ours,
                theirs,
                ours / theirs,
                aim == 0 ? "–" : Integer.toString(aim));
        System.out.println(line);
        report.add(line);
    }
}
