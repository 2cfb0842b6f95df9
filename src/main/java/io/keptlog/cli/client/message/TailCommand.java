// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import io.keptlog.cli.client.Answer;
import io.keptlog.cli.client.Backoff;
import io.keptlog.cli.client.ServerClient;
import io.keptlog.cli.client.ServerCommand;
import io.keptlog.cli.client.ServerRefused;
import io.keptlog.cli.client.TopicName;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows the newest messages and those that come, of every partition at once. Stores no offset. Goes on after the server was away. */
@Command(
        name = "tail",
        description =
                "Shows the newest messages of a topic, and those that come until it is interrupted. Stores nothing.",
        footer = ServerCommand.EXIT_CODES,
        mixinStandardHelpOptions = true)
public final class TailCommand extends ServerCommand {
    /** Each partition is read by a connection of its own. */
    private static final int PARTITIONS_MAX = 64;

    private static final int BATCH = 1_000;
    private static final long WAIT_MILLIS = 20_000;
    private static final long PAUSE_MILLIS = 250;
    private static final long PAUSE_MAX_MILLIS = 5_000;

    @Mixin
    private final TopicName topic = new TopicName();

    @Option(names = "--partition", paramLabel = "N", description = "Default: all.")
    private @Nullable Integer partition;

    @Option(
            names = {"-n", "--last"},
            paramLabel = "COUNT",
            defaultValue = "10",
            description = "Messages of each partition to begin with; default ${DEFAULT-VALUE}.")
    private int last;

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            description = "Begin at first, at an offset, or at a time such as 2026-11-30T16:00:00Z, instead of with the"
                    + " last.")
    private @Nullable String from;

    @Option(names = "--count", paramLabel = "COUNT", description = "End after so many messages.")
    private @Nullable Long count;

    @Option(names = "--no-follow", description = "End at the end of what is there.")
    private boolean noFollow;

    @Option(names = "--persisted", description = "Show only what a power cut can no longer take back.")
    private boolean persisted;

    @Option(
            names = "--format",
            defaultValue = "text",
            description =
                    "text (the payload), full (partition/offset, time, payload) or json; default ${DEFAULT-VALUE}.")
    private MessagePrinter.Format format = MessagePrinter.Format.text;

    @Override
    protected int run(ServerClient client) throws IOException, InterruptedException {
        int[] partitions = topic.partitions(client, partition);
        if (partitions.length > PARTITIONS_MAX || last < 0 || last > BATCH) {
            System.err.println(
                    last < 0 || last > BATCH
                            ? "--last is 0 to " + BATCH
                            : topic + " has " + partitions.length + " partitions: choose one with --partition");
            return NO_ANSWER;
        }
        List<PartitionReader> readers = new ArrayList<>();
        for (int one : partitions) {
            readers.add(reader(client, one));
        }
        var printer = new MessagePrinter(new FileOutputStream(FileDescriptor.out), format);
        var left = new AtomicLong(count == null ? Long.MAX_VALUE : count);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletionService<Boolean> ended = new ExecutorCompletionService<>(threads);
            readers.forEach(reader -> ended.submit(() -> follow(client, reader, printer, left)));
            try {
                boolean enough = false;
                for (int i = 0; i < readers.size() && !enough; i++) {
                    enough = ended.take().get();
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException failure) {
                    throw failure;
                }
                throw new IllegalStateException(e.getCause());
            } finally {
                threads.shutdownNow();
            }
        }
        return DONE;
    }

    private PartitionReader reader(ServerClient client, int one) throws IOException {
        String path = topic.path();
        if (from == null) {
            return PartitionReader.fromLast(client, path, one, persisted);
        }
        if (from.equals("first")) {
            return PartitionReader.fromFirst(client, path, one, persisted);
        }
        if (from.matches("\\d{1,18}")) {
            return PartitionReader.fromOffset(client, path, one, persisted, Long.parseLong(from));
        }
        try {
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(from));
            return PartitionReader.fromTime(client, path, one, persisted, micros);
        } catch (DateTimeParseException e) {
            throw new ServerCommand.Misuse("--from is first, an offset, or a time such as 2026-11-30T16:00:00Z");
        }
    }

    /** Whether enough was shown; otherwise the partition's end was reached. */
    private boolean follow(ServerClient client, PartitionReader reader, MessagePrinter printer, AtomicLong left)
            throws IOException, InterruptedException {
        var backoff = new Backoff(PAUSE_MILLIS, PAUSE_MAX_MILLIS);
        boolean first = from == null;
        boolean away = false;
        while (true) {
            try {
                JsonNode reply = reader.read(first ? Math.max(1, last) : BATCH, first || noFollow ? 0 : WAIT_MILLIS);
                if (away) {
                    System.err.println("partition " + reader.partition() + ": it answers again");
                    away = false;
                }
                backoff.reset();
                boolean empty =
                        reply.path("messages").isEmpty() && !reply.path("gap").isObject();
                if (show(reply, printer, left, first)) {
                    return true;
                }
                if (noFollow && (empty || first)) {
                    return false;
                }
                first = false;
            } catch (ServerRefused e) {
                if (!e.isTransient()) {
                    throw e;
                }
                backoff.pause(e.retryAfterMillis());
            } catch (OutputFailed e) {
                throw e;
            } catch (IOException e) {
                if (!away) {
                    System.err.println("partition " + reader.partition() + ": " + client
                            + " does not answer; trying again from offset " + reader.next());
                    away = true;
                }
                backoff.pause(0);
            }
        }
    }

    /** One partition at a time; true when enough was shown. */
    private boolean show(JsonNode reply, MessagePrinter printer, AtomicLong left, boolean first) throws OutputFailed {
        synchronized (printer) {
            boolean none = first && last == 0;
            left.addAndGet(-printer.print(none ? Answer.NOTHING : reply, left.get()));
            return left.get() <= 0;
        }
    }
}
