// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.RawSocket;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Idempotent producers whose replies get lost and whose server is killed: each message is stored exactly once, in order. */
class ExactlyOnceIT {
    private static final int KILLS = 4;
    private static final int PRODUCERS_PER_TOPIC = 3;

    @TempDir
    Path directory;

    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private volatile ServerProcess running;
    private volatile boolean over;

    /** One producer on partition 0 of a topic: sends on from what was confirmed, as often as it takes. One thread. */
    private final class Producer implements Runnable {
        private final String topic;
        private final long id;
        private final Random random;
        private final Map<Long, Long> offsets = new HashMap<>();
        private long next;
        private int lost;

        Producer(String topic, long id, long seed) {
            this.topic = topic;
            this.id = id;
            this.random = new Random(seed + id);
        }

        private String payload(long sequence) {
            return "producer " + id + " message " + sequence;
        }

        private List<String> payloads(long from, int count) {
            List<String> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(payload(from + i));
            }
            return all;
        }

        private String[] headers(long from, String... more) {
            List<String> all = new ArrayList<>(List.of(
                    "Keptlog-Producer-Id", Long.toString(id),
                    "Keptlog-Producer-Epoch", "1",
                    "Keptlog-Producer-Sequence", Long.toString(from)));
            all.addAll(List.of(more));
            return all.toArray(String[]::new);
        }

        @Override
        public void run() {
            try {
                while (!over) {
                    ServerProcess server = running;
                    if (server == null) {
                        Await.pause(10);
                        continue;
                    }
                    try {
                        step(server);
                    } catch (UncheckedIOException e) {
                        // The outcome is not known: sent again.
                        Await.pause(5);
                    }
                }
            } catch (Throwable e) {
                surprises.add(e);
            }
        }

        private void step(ServerProcess server) {
            long from = Math.max(0, next - random.nextInt(4));
            if (random.nextInt(3) == 0) {
                loseReply(server, from, 1 + random.nextInt(20));
            } else if (random.nextInt(20) == 0) {
                lines(server.client(), from, 2500);
            } else {
                int count = 1 + random.nextInt(20);
                Reply reply = server.client()
                        .send(
                                "POST",
                                topic + "/messages",
                                BodyPublishers.ofString(Client.produceBody(0, payloads(from, count))),
                                headers(from, "Content-Type", "application/json"));
                confirmed(reply, from, count);
            }
        }

        /** The request goes out, and nobody reads the answer. */
        private void loseReply(ServerProcess server, long from, int count) {
            byte[] body = Client.produceBody(0, payloads(from, count)).getBytes(StandardCharsets.UTF_8);
            try (RawSocket socket = new RawSocket(server.port())) {
                socket.send(RawSocket.postHead(
                        topic + "/messages",
                        "Keptlog-Producer-Id: " + id,
                        "Keptlog-Producer-Epoch: 1",
                        "Keptlog-Producer-Sequence: " + from,
                        "Content-Length: " + body.length));
                socket.send(body);
                lost++;
            }
        }

        private void lines(Client client, long from, int count) {
            Reply reply = client.send(
                    "POST",
                    topic + "/messages",
                    BodyPublishers.ofString(String.join("\n", payloads(from, count)) + "\n"),
                    headers(from, "Content-Type", Client.NDJSON, "Keptlog-Partition", "0"));
            if (reply.status() == 503) {
                Await.pause(5);
                return;
            }
            // Several batches: the range may hold messages of others between them, so no offset is learned from it.
            reply.expect(200, 201);
            next = Math.max(next, from + count);
        }

        private void confirmed(Reply reply, long from, int count) {
            if (reply.status() == 503) {
                Await.pause(5);
                return;
            }
            JsonNode confirmation = reply.expect(200, 201).json().at("/confirmations/0");
            long base = confirmation.path("base_offset").asLong();
            long length = confirmation.path("end_offset").asLong() - base;
            if (length <= count) {
                // As long as the request: exact. Shorter: the last ones, the others were stored before.
                for (long i = 0; i < length; i++) {
                    Long former = offsets.put(from + count - length + i, base + i);
                    assertThat(former).as(payload(from + count - length + i)).isIn(null, base + i);
                }
            }
            next = Math.max(next, from + count);
        }

        /** Everything once more: nothing of it is new. */
        void repeatAll(Client client) {
            for (long from = 0; from < next; from += 1000) {
                int count = (int) Math.min(1000, next - from);
                Reply again = client.send(
                        "POST",
                        topic + "/messages",
                        BodyPublishers.ofString(Client.produceBody(0, payloads(from, count))),
                        headers(from, "Content-Type", "application/json"));
                again.expect(200);
                confirmed(again, from, count);
            }
        }

        /** In the log: mine, from 0 on, without a hole and without a duplicate; at the offsets that were confirmed. */
        void verify(List<String> log) {
            String mine = "producer " + id + " ";
            List<String> stored =
                    log.stream().filter(one -> one.startsWith(mine)).toList();
            assertThat(stored).hasSizeGreaterThanOrEqualTo((int) next);
            assertThat(stored).isEqualTo(payloads(0, stored.size()));
            offsets.forEach((sequence, offset) ->
                    assertThat(log.get(Math.toIntExact(offset))).isEqualTo(payload(sequence)));
        }
    }

    @Test
    void lostRepliesAndKillsLeaveEachMessageOnce() throws InterruptedException {
        long seed = System.nanoTime();
        System.out.println("ExactlyOnceIT seed " + seed);
        Random random = new Random(seed);
        Path data = directory.resolve("data");
        List<Producer> producers = new ArrayList<>();
        for (String level : List.of("replicated", "persisted")) {
            for (int i = 0; i < PRODUCERS_PER_TOPIC; i++) {
                producers.add(new Producer(Client.topic("once", level), 1 + producers.size(), seed));
            }
        }
        List<Thread> threads = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            try (ServerProcess server = ServerProcess.start(data)) {
                if (kill == 0) {
                    server.client().createStream("once");
                    createTopic(server.client(), "replicated");
                    createTopic(server.client(), "persisted");
                    producers.forEach(
                            one -> threads.add(Thread.ofPlatform().daemon().start(one)));
                }
                running = server;
                Await.pause(500 + random.nextInt(1500));
                running = null;
                server.kill();
            }
        }
        over = true;
        for (Thread one : threads) {
            assertThat(one.join(Duration.ofSeconds(60))).isTrue();
        }
        assertThat(surprises).isEmpty();
        try (ServerProcess server = ServerProcess.start(data)) {
            verify(server.client(), producers);
        }
    }

    private static void verify(Client client, List<Producer> producers) {
        producers.forEach(one -> one.repeatAll(client));
        for (String level : List.of("replicated", "persisted")) {
            String topic = Client.topic("once", level);
            List<String> log = RawReader.lines(client, topic, 0, 0);
            producers.stream().filter(one -> one.topic.equals(topic)).forEach(one -> one.verify(log));
        }
        assertThat(producers).allSatisfy(one -> {
            assertThat(one.next).as("confirmed").isPositive();
            assertThat(one.lost).as("lost replies").isPositive();
        });
    }

    /** Small segments, so that kills also meet rolls and snapshots. */
    private static void createTopic(Client client, String level) {
        Map<String, String> options = new HashMap<>(Client.policies(level));
        options.put("segment_size", "1 MiB");
        client.createTopic("once", level, 1, options);
    }
}
