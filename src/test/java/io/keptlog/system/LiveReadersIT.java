// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.EventStream;
import io.keptlog.system.harness.EventStream.Event;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of streams on one small server: what an idle one costs, what an active one gets, and how all of them end. */
@Tag("long")
class LiveReadersIT {
    private static final int IDLE = 2_000;
    private static final int ACTIVE = 100;
    private static final int PARTITIONS = 4;
    private static final int BATCHES = 100;
    private static final int BATCH = 20;
    /** Tomcat's socket buffers, 48 KiB of each connection whatever it does, and a few KiB of the stream. */
    private static final long BYTES_PER_IDLE_READER_MAX = 64 << 10;

    private static final Duration STOP_NEWS_MAX = Duration.ofSeconds(2);
    private static final Pattern HISTOGRAM_TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final String AUTHORIZATION = "Authorization: Basic "
            + Base64.getEncoder()
                    .encodeToString(
                            (ServerProcess.USERNAME + ":" + ServerProcess.PASSWORD).getBytes(StandardCharsets.UTF_8));

    @TempDir
    Path directory;

    private static EventStream open(ServerProcess server, String topic, int partition) {
        return EventStream.open(server.port(), topic + "/messages?partition_id=" + partition, AUTHORIZATION)
                .expectOk();
    }

    /** Live bytes of the server's heap. */
    private static long heapBytes(ServerProcess server) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String histogram = Shell.run(jcmd, Long.toString(server.pid()), "GC.class_histogram");
        Matcher total = HISTOGRAM_TOTAL.matcher(histogram);
        assertThat(total.find()).as(histogram).isTrue();
        return Long.parseLong(total.group(1));
    }

    @Test
    void idleReadersCostLittleActiveOnesGetEverythingAndAStopTellsAll() throws Exception {
        List<EventStream> idle = new ArrayList<>();
        List<EventStream> active = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"));
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            Client client = server.client();
            client.createStream("live");
            client.createTopic("live", "idle", PARTITIONS, Client.policies("replicated"));
            client.createTopic("live", "active", 1, Client.policies("replicated"));
            String idleTopic = Client.topic("live", "idle");
            String activeTopic = Client.topic("live", "active");
            idle.add(open(server, idleTopic, 0));
            client.produce(activeTopic, 0, List.of("warm")).expect(201);
            long before = heapBytes(server);
            for (int i = 1; i < IDLE; i++) {
                idle.add(open(server, idleTopic, i % PARTITIONS));
            }
            long perReader = (heapBytes(server) - before) / (IDLE - 1);
            System.out.println("LiveReadersIT: " + perReader + " bytes of heap per idle reader");
            assertThat(perReader).isLessThan(BYTES_PER_IDLE_READER_MAX);

            for (int i = 0; i < ACTIVE; i++) {
                active.add(open(server, activeTopic, 0));
            }
            List<Future<List<Event>>> all = active.stream()
                    .map(s -> readers.submit(() -> s.messages(1 + BATCHES * BATCH)))
                    .toList();
            for (int i = 0; i < BATCHES; i++) {
                int batch = i;
                client.produce(
                                activeTopic,
                                0,
                                IntStream.range(0, BATCH)
                                        .mapToObj(m -> batch + "-" + m)
                                        .toList())
                        .expect(201);
            }
            for (Future<List<Event>> one : all) {
                List<Event> events = one.get(120, TimeUnit.SECONDS);
                for (int offset = 0; offset < events.size(); offset++) {
                    assertThat(events.get(offset).id()).isEqualTo(Integer.toString(offset));
                    assertThat(events.get(offset).offset()).isEqualTo(offset);
                }
            }
            everyIdleReaderWakes(client, idleTopic, idle, readers);
            aStopTellsAll(server, idle, active, readers);
        } finally {
            idle.forEach(EventStream::close);
            active.forEach(EventStream::close);
        }
    }

    private static void everyIdleReaderWakes(
            Client client, String topic, List<EventStream> idle, ExecutorService readers) throws Exception {
        List<Future<List<Event>>> woken =
                idle.stream().map(s -> readers.submit(() -> s.messages(1))).toList();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            client.produce(topic, partition, List.of("wake")).expect(201);
        }
        for (Future<List<Event>> one : woken) {
            assertThat(one.get(60, TimeUnit.SECONDS).getFirst().offset()).isZero();
        }
    }

    private static void aStopTellsAll(
            ServerProcess server, List<EventStream> idle, List<EventStream> active, ExecutorService readers)
            throws Exception {
        List<EventStream> all = new ArrayList<>(idle);
        all.addAll(active);
        List<Future<Event>> ends =
                all.stream().map(s -> readers.submit(s::news)).toList();
        long began = System.nanoTime();
        server.signal("TERM");
        for (Future<Event> one : ends) {
            Event end = one.get(30, TimeUnit.SECONDS);
            assertThat(end).isNotNull();
            assertThat(end.name()).isEqualTo("end");
            assertThat(end.json().path("code").asString()).isEqualTo("shutting_down");
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        System.out.println("LiveReadersIT: " + all.size() + " readers told of the stop in " + took.toMillis() + " ms");
        assertThat(took).isLessThan(STOP_NEWS_MAX);
        Await.until("the server has stopped", Duration.ofSeconds(20), () -> !server.isAlive());
    }
}
