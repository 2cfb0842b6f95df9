// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.drill;

import io.keptlog.cli.drill.Acknowledged.Place;
import io.keptlog.storage.check.CheckProgress;
import io.keptlog.storage.check.CheckReport;
import io.keptlog.storage.check.DataCheck;
import io.keptlog.storage.file.FileLayers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Kills a server again and again while it takes messages at both levels, and looks for every message that it had acknowledged. Leaves
 * the data directory as it is. One thread; the writers are its own.
 */
final class Drill {
    private static final List<String> LEVELS = List.of("replicated", "persisted");
    private static final int PARTITIONS = 2;
    private static final int WRITERS = 4;
    private static final int PAYLOAD_MAX_BYTES = 2_000;
    private static final int POLL_COUNT = 1_000;
    private static final int LOST_SHOWN_MAX = 20;

    /**
     * What came of it.
     *
     * @param lost one sentence for each acknowledged message that is not there as it was, the first few
     * @param cleanStop whether the last, graceful stop was clean
     * @param verified what a verification of the stopped directory says
     */
    record Result(
            int kills, long acknowledged, long lostCount, List<String> lost, boolean cleanStop, CheckReport verified) {
        boolean kept() {
            return lostCount == 0 && cleanStop && !verified.damaged();
        }
    }

    private final Path directory;
    private final Consumer<String> told;
    private final String password = Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-drill";
    private final Acknowledged acknowledged = new Acknowledged();
    private final List<String> lost = new ArrayList<>();
    private long lostCount;

    /** @param told takes a line for each step */
    Drill(Path directory, Consumer<String> told) {
        this.directory = directory;
        this.told = told;
    }

    Result run(int kills, long writeMillis) throws IOException, InterruptedException {
        Path data = directory.resolve("data");
        for (int round = 1; round <= kills; round++) {
            try (DrillServer server = DrillServer.start(data, log(round), password)) {
                DrillClient client = server.awaitReady(password);
                if (round == 1) {
                    for (String level : LEVELS) {
                        client.create(level, level, PARTITIONS);
                    }
                }
                check(client);
                long before = acknowledged.count();
                writeUntilKilled(client, server, round, writeMillis);
                told.accept("kill " + round + ": " + (acknowledged.count() - before)
                        + " messages acknowledged, then SIGKILL");
            }
        }
        boolean cleanStop;
        try (DrillServer server = DrillServer.start(data, log(kills + 1), password)) {
            check(server.awaitReady(password));
            told.accept("started again: " + acknowledged.count() + " acknowledged messages looked for, " + lostCount
                    + " lost");
            cleanStop = server.stop();
        }
        CheckReport verified = DataCheck.run(FileLayers.system(), data, CheckProgress.NONE);
        return new Result(kills, acknowledged.count(), lostCount, List.copyOf(lost), cleanStop, verified);
    }

    private Path log(int start) {
        return directory.resolve("server-" + start + ".log");
    }

    private void writeUntilKilled(DrillClient client, DrillServer server, int round, long writeMillis)
            throws IOException, InterruptedException {
        var stopped = new AtomicBoolean();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (int w = 0; w < WRITERS; w++) {
                int writer = w;
                writers.execute(() -> write(client, round, writer, stopped));
            }
            writers.shutdown();
            // Writers end by themselves only when the server does not answer any more.
            boolean unused = writers.awaitTermination(writeMillis, TimeUnit.MILLISECONDS);
            server.kill();
            stopped.set(true);
        }
    }

    private void write(DrillClient client, int round, int writer, AtomicBoolean stopped) {
        var place = new Place(LEVELS.get(writer % LEVELS.size()), writer / LEVELS.size() % PARTITIONS);
        for (long n = 0; !stopped.get(); n++) {
            int fill = ThreadLocalRandom.current().nextInt(PAYLOAD_MAX_BYTES);
            String payload = round + "-" + writer + "-" + n + "." + "x".repeat(fill);
            try {
                long offset =
                        client.produce(place.topic(), place.partition(), payload.getBytes(StandardCharsets.US_ASCII));
                if (offset >= 0 && !acknowledged.add(place, offset, payload)) {
                    lost(place, offset, "was acknowledged twice");
                }
            } catch (IOException killed) {
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void check(DrillClient client) throws IOException, InterruptedException {
        for (Place place : acknowledged.places()) {
            Map<Long, String> missing = acknowledged.in(place);
            long from = 0;
            while (!missing.isEmpty()) {
                JsonNode reply = client.poll(place.topic(), place.partition(), from, POLL_COUNT);
                JsonNode messages = reply.path("messages");
                if (messages.isEmpty()) {
                    break;
                }
                for (JsonNode message : messages) {
                    long offset = message.path("header").path("offset").asLong();
                    String expected = missing.remove(offset);
                    String found = new String(
                            Base64.getDecoder().decode(message.path("payload").asString()), StandardCharsets.US_ASCII);
                    if (expected != null && !expected.equals(found)) {
                        lost(place, offset, "holds another message");
                    }
                    from = offset + 1;
                }
            }
            missing.keySet().stream().sorted().forEach(offset -> lost(place, offset, "is not there"));
        }
    }

    private synchronized void lost(Place place, long offset, String what) {
        lostCount++;
        if (lost.size() < LOST_SHOWN_MAX) {
            lost.add("topic " + place.topic() + ", partition " + place.partition() + ", offset " + offset + " " + what);
        }
    }
}
