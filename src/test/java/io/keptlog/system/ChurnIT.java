// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Ledger;
import io.keptlog.system.harness.Load;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Many threads create and delete the same names while others produce to them and poll them: every answer is a success or a client's
 * fault, what exists can be used, what is gone leaves no file, and a kill in the middle changes none of that.
 */
class ChurnIT {
    private static final int THREADS = 32;
    private static final int NAMES = 4;
    private static final Duration CHURN = Duration.ofSeconds(8);
    /** A slow disk takes longer for as many changes. */
    private static final Duration CHURN_MAX = Duration.ofMinutes(3);

    private static final int SUCCESSES = 200;
    private static final Duration CLEANED = Duration.ofSeconds(45);
    private static final Pattern PARTITION = Pattern.compile("streams/(\\d+)/topics/(\\d+)/partitions/(\\d+)");

    @TempDir
    Path directory;

    private final ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicInteger successes = new AtomicInteger();
    private volatile boolean stopping;

    @Test
    void theSameNamesAreCreatedAndDeletedByManyWhileOthersProduceAndPoll() throws Exception {
        long seed = System.nanoTime();
        System.out.println("ChurnIT seed " + seed);
        Path data = directory.resolve("data");
        Ledger steady = new Ledger(Client.topic("steady", "topic"), 1);
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            client.createStream("steady");
            client.createTopic("steady", "topic", 1, Client.policies("replicated"));
            Load load = Load.start(client, "before", seed, 2, steady);
            churn(client, seed);
            load.join();
            assertThat(load.surprises()).isEmpty();
            requireConsistent(client, data);

            Load beforeTheKill = Load.start(client, "killed", seed + 1, 2, steady);
            List<Thread> threads = start(client, seed + 2);
            untilEnoughHappened();
            server.kill();
            beforeTheKill.join();
            end(threads);
        }
        assertThat(surprises).isEmpty();
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            steady.verifyAll(client);
            requireConsistent(client, data);
            assertThat(client.get("/recovery").expect(200).json().toString())
                    .as("a kill during creations and deletions is no damage")
                    .doesNotContain("missing_partition")
                    .doesNotContain("interior_damage")
                    .doesNotContain("unknown_directory");
        }
    }

    private void churn(Client client, long seed) {
        List<Thread> threads = start(client, seed);
        untilEnoughHappened();
        end(threads);
    }

    private void untilEnoughHappened() {
        int before = successes.get();
        Await.pause(CHURN.toMillis());
        Await.until(
                SUCCESSES + " successes",
                CHURN_MAX,
                () -> successes.get() - before >= SUCCESSES || !surprises.isEmpty());
        System.out.println("ChurnIT: " + (successes.get() - before) + " successes");
    }

    private List<Thread> start(Client client, long seed) {
        stopping = false;
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            Random random = new Random(seed * 31 + t);
            threads.add(Thread.ofPlatform().name("churn-" + t).start(() -> work(client, random)));
        }
        return threads;
    }

    private void end(List<Thread> threads) {
        stopping = true;
        for (Thread thread : threads) {
            try {
                assertThat(thread.join(Duration.ofSeconds(60)))
                        .as(thread.getName())
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    private void work(Client client, Random random) {
        try {
            while (!stopping) {
                Reply reply = step(client, random);
                if (reply.status() < 300) {
                    successes.incrementAndGet();
                } else if (reply.status() != 404 && !(reply.status() == 400 && isTaken(reply.code()))) {
                    surprises.add(reply.toString());
                }
            }
        } catch (UncheckedIOException e) {
            // The server was killed: what was not answered is not known.
        } catch (RuntimeException | AssertionError e) {
            surprises.add(e.toString());
        }
    }

    private static boolean isTaken(String code) {
        return code.equals("stream_name_already_exists")
                || code.equals("topic_name_already_exists")
                || code.equals("consumer_group_name_already_exists")
                || code.equals("invalid_partitions_count")
                || code.equals("invalid_offset");
    }

    private static Reply step(Client client, Random random) {
        String stream = "/streams/churn-" + random.nextInt(NAMES);
        String topic = stream + "/topics/churn-" + random.nextInt(NAMES);
        return switch (random.nextInt(16)) {
            case 0, 1 -> client.post("/streams", Map.of("name", stream.substring("/streams/".length())));
            case 2 -> client.delete(stream);
            case 3, 4, 5 -> client.post(stream + "/topics", topicBody(topic, random));
            case 6 -> client.delete(topic);
            case 7 -> client.delete(topic + "/purge");
            case 8 -> client.post(topic + "/partitions", Map.of("partitions_count", 1));
            case 9 -> client.delete(topic + "/partitions?partitions_count=1");
            case 10 -> client.post(topic + "/consumer-groups", Map.of("name", "g"));
            case 11 -> client.delete(topic + "/consumer-groups/g");
            case 12 -> client.poll(topic, 0, 0, 100);
            case 13 -> client.storeOffset(topic, 0, "reader", 0);
            default -> client.produce(topic, 0, List.of("one", "two"));
        };
    }

    private static Map<String, Object> topicBody(String topic, Random random) {
        return Map.of(
                "name",
                topic.substring(topic.lastIndexOf('/') + 1),
                "partitions_count",
                1 + random.nextInt(3),
                "compression_algorithm",
                "none",
                "message_expiry",
                0,
                "max_topic_size",
                0,
                "options",
                Client.policies(random.nextBoolean() ? "persisted" : "replicated"));
    }

    /** Messages of a partition, counted by reading them all. */
    private static long readable(Client client, String topic, int partition) {
        long next = 0;
        long before;
        do {
            before = next;
            next += client.poll(topic, partition, next, 100_000)
                    .expect(200)
                    .json()
                    .path("count")
                    .asLong();
        } while (next > before);
        return next;
    }

    /** Lists, details, messages and files tell the same story, and a new life of each name is empty. */
    private void requireConsistent(Client client, Path data) {
        var expected = new TreeSet<String>();
        for (JsonNode stream : client.get("/streams").expect(200).json()) {
            JsonNode details =
                    client.get("/streams/" + stream.path("id")).expect(200).json();
            for (JsonNode topic : details.path("topics")) {
                String path = "/streams/" + stream.path("id") + "/topics/" + topic.path("id");
                JsonNode partitions = client.get(path).expect(200).json().path("partitions");
                for (JsonNode partition : partitions) {
                    expected.add(path.substring(1) + "/partitions/" + partition.path("id"));
                    assertThat(readable(client, path, partition.path("id").asInt()))
                            .as(path)
                            .isEqualTo(partition.path("messages_count").asLong());
                }
            }
        }
        Await.until("no file of what was deleted", CLEANED, () -> partitionsOnDisk(data)
                .equals(expected));
        Await.until(
                "an empty trash", CLEANED, () -> children(data.resolve("trash")).isEmpty());
        for (int n = 0; n < NAMES; n++) {
            String name = "churn-" + n;
            client.delete("/streams/" + name).expect(204, 404);
            client.createStream(name);
            client.createTopic(name, name, 1, Client.policies("replicated"));
            String topic = Client.topic(name, name);
            assertThat(client.poll(topic, 0, 0, 10)
                            .expect(200)
                            .json()
                            .path("count")
                            .asInt(-1))
                    .isZero();
            client.offset(topic, 0, "reader").expect(404);
            assertThat(Client.baseOffset(client.produce(topic, 0, List.of("first"))))
                    .isZero();
        }
    }

    private static TreeSet<String> partitionsOnDisk(Path data) {
        var found = new TreeSet<String>();
        try (Stream<Path> files = Files.walk(data.resolve("streams"))) {
            files.map(data::relativize)
                    .map(Path::toString)
                    .filter(p -> PARTITION.matcher(p).matches())
                    .forEach(found::add);
        } catch (IOException | UncheckedIOException e) {
            // Something was removed during the walk: look again.
            return new TreeSet<>(List.of("changing"));
        }
        return found;
    }

    private static List<Path> children(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (java.nio.file.NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
