// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.apache.iggy.Iggy;
import org.apache.iggy.client.blocking.http.IggyHttpClient;
import org.apache.iggy.message.Message;
import org.apache.iggy.message.Partitioning;
import org.apache.iggy.message.PollingStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two producers and three pollers for minutes, half of them Iggy's Java client and half plain HTTP, each at a steady pace: memory and
 * latency of the last third are those of the second one. {@code -Dsoak.minutes=10}; one minute without it.
 */
@Tag("long")
class SoakIT {
    private static final Duration WHOLE = Duration.ofMinutes(Integer.getInteger("soak.minutes", 1));
    private static final int SLICES = 12;
    private static final int BATCH = 10;
    private static final String PAYLOAD = "x".repeat(256);
    private static final long PACE_MILLIS = 10;
    /** Noise of a shared machine; a leak of a hundred bytes per message would be beyond it within two minutes. */
    private static final double GROWTH_MAX = 1.5;

    private static final long SLACK_KIB = 64 * 1024;
    private static final long SLACK_MICROS = 50_000;

    @TempDir
    Path directory;

    private final ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();
    private final Map<String, SingleWriterRecorder> latencies = new HashMap<>();
    private final AtomicLong produced = new AtomicLong();
    private final AtomicLong polled = new AtomicLong();
    private volatile boolean stopping;

    /** One measurement: the process's own resident memory in KiB (mapped log pages are the kernel's cache and grow with the log), p99 of produce and poll in microseconds. */
    private record Slice(long residentKib, long produceMicros, long pollMicros, int connections) {}

    private interface Step {
        int run() throws IOException;
    }

    @Test
    void memoryAndLatencyStayFlat() throws IOException {
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"), "-Xmx256m");
                IggyHttpClient writer = sdk(server);
                IggyHttpClient reader = sdk(server)) {
            Client client = server.client();
            client.createStream("soak");
            Map<String, String> options = new HashMap<>(Client.policies("replicated"));
            options.put("segment_size", "16 MiB");
            client.createTopic("soak", "topic", 2, options);
            String topic = Client.topic("soak", "topic");
            List<Thread> threads = List.of(
                    thread("produce-sdk", produced, () -> send(writer)),
                    thread("produce-http", produced, () -> send(client, topic)),
                    thread("poll-sdk", polled, () -> next(reader)),
                    thread("poll-http-1", polled, () -> next(client, topic, 1, "a")),
                    thread("poll-http-0", polled, () -> next(client, topic, 0, "b")));
            List<Slice> slices = measure(server);
            stopping = true;
            for (Thread thread : threads) {
                assertThat(join(thread)).as(thread.getName()).isTrue();
            }
            assertThat(surprises).isEmpty();
            System.out.println("produced " + produced + ", polled " + polled);
            requireFlat(slices);
        }
    }

    private static boolean join(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static IggyHttpClient sdk(ServerProcess server) {
        return Iggy.httpClientBuilder()
                .blocking()
                .url("http://127.0.0.1:" + server.port())
                .credentials(ServerProcess.USERNAME, ServerProcess.PASSWORD)
                .buildAndLogin();
    }

    private Thread thread(String name, AtomicLong counter, Step step) {
        var recorder = new SingleWriterRecorder(3);
        latencies.put(name, recorder);
        return Thread.ofPlatform().name(name).start(() -> {
            try {
                while (!stopping) {
                    long start = System.nanoTime();
                    int messages = step.run();
                    recorder.recordValue((System.nanoTime() - start) / 1000);
                    counter.addAndGet(messages);
                    Await.pause(PACE_MILLIS);
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                surprises.add(name + ": " + e);
            }
        });
    }

    private static int send(IggyHttpClient client) {
        client.messages()
                .sendMessages(
                        0L,
                        0L,
                        Partitioning.partitionId(0L),
                        IntStream.range(0, BATCH)
                                .mapToObj(i -> Message.of(PAYLOAD))
                                .toList());
        return BATCH;
    }

    private static int send(Client client, String topic) {
        client.produce(
                        topic,
                        1,
                        IntStream.range(0, BATCH).mapToObj(i -> PAYLOAD).toList())
                .expect(201);
        return BATCH;
    }

    private static int next(IggyHttpClient client) {
        return client.messages()
                .pollMessages(0L, 0L, Optional.of(0L), 42L, PollingStrategy.next(), 100L, true)
                .messages()
                .size();
    }

    private static int next(Client client, String topic, int partition, String consumer) {
        Reply reply = client.get(topic + "/messages?kind=next&count=100&auto_commit=true&partition_id=" + partition
                        + "&consumer_id=" + consumer)
                .expect(200);
        return reply.json().path("count").asInt();
    }

    private List<Slice> measure(ServerProcess server) throws IOException {
        List<Slice> slices = new ArrayList<>();
        for (int s = 0; s < SLICES && surprises.isEmpty(); s++) {
            Await.pause(WHOLE.dividedBy(SLICES).toMillis());
            Slice slice = new Slice(resident(server), p99("produce"), p99("poll"), connections(server));
            System.out.printf(
                    "soak %2d/%d: resident %d MiB, p99 produce %d us, p99 poll %d us, %d sockets, produced %s, polled %s%n",
                    s + 1,
                    SLICES,
                    slice.residentKib() / 1024,
                    slice.produceMicros(),
                    slice.pollMicros(),
                    slice.connections(),
                    produced,
                    polled);
            slices.add(slice);
        }
        return slices;
    }

    private long p99(String kind) {
        var all = new Histogram(3);
        latencies.forEach((name, recorder) -> {
            if (name.startsWith(kind)) {
                all.add(recorder.getIntervalHistogram());
            }
        });
        return all.getValueAtPercentile(99);
    }

    private static long resident(ServerProcess server) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                .filter(l -> l.startsWith("RssAnon:"))
                .mapToLong(l -> Long.parseLong(l.replaceAll("\\D+", "")))
                .findFirst()
                .orElseThrow();
    }

    private static int connections(ServerProcess server) throws IOException {
        try (var files = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
            int sockets = 0;
            for (Path file : files.toList()) {
                try {
                    sockets += Files.readSymbolicLink(file).toString().startsWith("socket:") ? 1 : 0;
                } catch (java.nio.file.NoSuchFileException e) {
                    // Closed since the listing.
                }
            }
            return sockets;
        }
    }

    private static void requireFlat(List<Slice> slices) {
        assertThat(slices).hasSize(SLICES);
        List<Slice> middle = slices.subList(SLICES / 3, 2 * SLICES / 3);
        List<Slice> last = slices.subList(2 * SLICES / 3, SLICES);
        long memory = median(last, Slice::residentKib);
        assertThat(memory)
                .as("resident memory in KiB")
                .isLessThan((long) (median(middle, Slice::residentKib) * GROWTH_MAX) + SLACK_KIB);
        assertThat(median(last, Slice::produceMicros))
                .as("p99 of produce")
                .isLessThan((long) (median(middle, Slice::produceMicros) * GROWTH_MAX) + SLACK_MICROS);
        assertThat(median(last, Slice::pollMicros))
                .as("p99 of poll")
                .isLessThan((long) (median(middle, Slice::pollMicros) * GROWTH_MAX) + SLACK_MICROS);
        assertThat(last.getLast().connections())
                .as("sockets")
                .isLessThanOrEqualTo(middle.getFirst().connections() + 5);
    }

    private static long median(List<Slice> slices, java.util.function.ToLongFunction<Slice> of) {
        return slices.stream()
                .mapToLong(of)
                .sorted()
                .skip(slices.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
