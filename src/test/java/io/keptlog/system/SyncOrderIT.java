// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Strace;
import io.keptlog.system.harness.SystemCalls;
import io.keptlog.system.harness.SystemCalls.Call;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order of system calls behind an acknowledgement: write, sync of the log, reply. A power cut cannot show it: a kernel may write
 * back early, and ext4 makes a new file's name durable with the file.
 */
@Tag("root")
class SyncOrderIT {
    private static final int ACKS = 20;
    private static final String LOG = ".log";

    @TempDir
    Path directory;

    @Test
    void aPersistedAckIsWriteThenOneSyncOfTheLogThenReply() {
        Strace.assume();
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"));
                Strace strace = trace(server)) {
            Client client = server.client();
            client.createStream("s");
            client.createTopic("s", "t", 1, Client.policies("persisted"));
            String topic = Client.topic("s", "t");
            client.produce(topic, 0, List.of("first")).expect(201);
            namesAreSyncedBeforeTheFirstReply(awaitReplies(strace, 0, 1));

            awaitQuiet(strace);
            int from = strace.lines().size();
            long began = System.nanoTime();
            for (int i = 0; i < ACKS; i++) {
                client.produce(topic, 0, List.of("message " + i)).expect(201);
            }
            long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
            List<Call> calls = awaitReplies(strace, from, ACKS);

            List<Call> replies = replies(calls);
            int previous = from;
            for (Call reply : replies) {
                Call write = only(calls, previous, reply.begin(), c -> c.name().startsWith("pwrite") && c.isOn(LOG));
                Call sync = only(calls, write.end(), reply.begin(), c -> c.isSync() && c.isOn(LOG));
                assertThat(sync.end())
                        .as("the sync returned before the reply began")
                        .isLessThan(reply.begin());
                assertThat(sync.text()).contains("= 0");
                previous = reply.end();
            }
            assertThat(calls.stream().filter(c -> c.isSync() && c.isOn(LOG)))
                    .as("never more than one sync of the log per ack")
                    .hasSize(ACKS);
            assertThat(calls.stream().filter(c -> c.isSync() && !c.isOn(LOG)))
                    .as("nothing else is synced per ack (a checkpoint once a second is)")
                    .hasSizeLessThanOrEqualTo(Math.toIntExact(2 + seconds));
            assertThat(calls.stream().filter(c -> c.isSync() && isDirectory(c)))
                    .as("no directory is synced again")
                    .isEmpty();
        }
    }

    @Test
    void aReplicatedAckWaitsForNoSync() {
        Strace.assume();
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"))) {
            Client client = server.client();
            client.createStream("s");
            client.createTopic("s", "t", 1, Client.policies("replicated"));
            String topic = Client.topic("s", "t");
            client.produce(topic, 0, List.of("first")).expect(201);
            try (Strace strace = trace(server)) {
                awaitQuiet(strace);
                int from = strace.lines().size();
                long began = System.nanoTime();
                for (int i = 0; i < ACKS; i++) {
                    client.produce(topic, 0, List.of("message " + i)).expect(201);
                }
                long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
                List<Call> calls = awaitReplies(strace, from, ACKS);
                assertThat(calls.stream().filter(c -> c.name().startsWith("pwrite") && c.isOn(LOG)))
                        .hasSize(ACKS);
                // The age limit syncs once a second, the checkpoint follows it.
                assertThat(calls.stream().filter(Call::isSync))
                        .hasSizeLessThanOrEqualTo(Math.toIntExact(3 * (1 + seconds)));
            }
        }
    }

    private Strace trace(ServerProcess server) {
        return Strace.attach(
                server,
                directory,
                "-y",
                "-s",
                "48",
                "-e",
                "trace=pwrite64,pwritev,pwritev2,write,writev,sendto,sendmsg,fdatasync,fsync,msync,sync_file_range");
    }

    private static void namesAreSyncedBeforeTheFirstReply(List<Call> calls) {
        Call reply = replies(calls).getFirst();
        assertThat(calls.stream().filter(c -> c.isSync() && c.end() < reply.begin() && isDirectory(c)))
                .as("the directory of the new segment and the one above it are synced before the first reply")
                .anyMatch(c -> c.text().matches("(?s).*(partitions/0|fresh/[^/>]+)>.*"))
                .anyMatch(c -> c.text().matches("(?s).*/partitions>.*"));
    }

    private static boolean isDirectory(Call call) {
        return !call.text().matches("(?s).*/[^/>]*\\.[^/>]*>.*")
                && call.text().matches("(?s).*/(partitions|topics|streams|fresh|[0-9a-f-]+)>.*");
    }

    private static List<Call> replies(List<Call> calls) {
        return calls.stream().filter(c -> c.text().contains("HTTP/1.1 201")).toList();
    }

    /** Calls from a line on, once so many replies were seen in them. */
    private static List<Call> awaitReplies(Strace strace, int fromLine, int replies) {
        Await.until(
                replies + " replies in the trace",
                Duration.ofSeconds(30),
                () -> replies(callsFrom(strace, fromLine)).size() == replies);
        return callsFrom(strace, fromLine);
    }

    private static List<Call> callsFrom(Strace strace, int line) {
        return SystemCalls.of(strace.lines()).stream()
                .filter(c -> c.begin() >= line)
                .toList();
    }

    /** Segments are prepared in the background after the first ack: waits until no file has been synced for two seconds. */
    private static void awaitQuiet(Strace strace) {
        long[] last = {-1, System.nanoTime()};
        Await.until("background syncs have ended", Duration.ofSeconds(60), () -> {
            long syncs =
                    SystemCalls.of(strace.lines()).stream().filter(Call::isSync).count();
            if (syncs != last[0]) {
                last[0] = syncs;
                last[1] = System.nanoTime();
            }
            return System.nanoTime() - last[1] > 2_000_000_000L;
        });
    }

    private static Call only(List<Call> calls, int from, int to, java.util.function.Predicate<Call> which) {
        List<Call> found = calls.stream()
                .filter(c -> c.begin() >= from && c.begin() < to)
                .filter(which)
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }
}
