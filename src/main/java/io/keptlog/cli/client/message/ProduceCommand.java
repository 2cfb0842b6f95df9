// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import io.keptlog.cli.Progress;
import io.keptlog.cli.client.Answer;
import io.keptlog.cli.client.ServerClient;
import io.keptlog.cli.client.ServerCommand;
import io.keptlog.cli.client.TopicName;
import io.keptlog.domain.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Sends lines of standard input or of files, or whole files, and says what their acknowledgement has proven. */
@Command(
        name = "produce",
        description =
                "Sends each line of standard input, or of files, as one message, byte for byte. What got no answer"
                        + " is sent again without making duplicates. Ends with what was stored and how durably.",
        footer = ServerCommand.EXIT_CODES,
        mixinStandardHelpOptions = true)
public final class ProduceCommand extends ServerCommand {
    private static final String PRINTABLE = "[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?";

    @Mixin
    private final TopicName topic = new TopicName();

    @Parameters(index = "2..*", paramLabel = "FILE", description = "Default: standard input.")
    private List<Path> files = List.of();

    @Option(
            names = "--partition",
            paramLabel = "N",
            description = "Default: one that is chosen at random, for all messages of this call.")
    private @Nullable Integer partition;

    @Option(names = "--key", description = "Chooses the partition, the same one for the same key.")
    private @Nullable String key;

    @Option(names = "--whole", description = "Each file is one message, not each line.")
    private boolean whole;

    @Option(
            names = "--ack",
            defaultValue = "replicated",
            description = "replicated waits for what the topic promises, none does not; default ${DEFAULT-VALUE}.")
    private String ack = "replicated";

    @Option(names = "--persisted", description = "Wait for stable storage, also where the topic does not promise it.")
    private boolean persisted;

    @Option(
            names = "--retry-for",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "How long a request is tried again when the server is busy or gone; default ${DEFAULT-VALUE}.")
    private long retrySeconds;

    @Option(names = "--json", description = "Print what was stored as JSON.")
    private boolean json;

    private long baseOffset = -1;
    private JsonNode last = Answer.NOTHING;

    @Override
    protected int run(ServerClient client) throws IOException, InterruptedException {
        if (partition != null && key != null) {
            return refuse("--partition and --key both choose the partition: give one of them");
        }
        if (key != null && !key.matches(PRINTABLE)) {
            return refuse("--key takes printable ASCII");
        }
        if (whole && files.isEmpty()) {
            return refuse("--whole needs files");
        }
        for (Path file : files) {
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                return refuse(file + " cannot be read");
            }
        }
        var producer = new Producer(
                client,
                topic.path() + "/messages?ack=" + ServerClient.encoded(ack),
                headers(client),
                Duration.ofSeconds(retrySeconds).toNanos());
        try (var bar = new Progress("produce")) {
            bar.begins(totalBytes());
            sendAll(producer, bar);
        } catch (IOException e) {
            System.err.println("Not all messages were sent; stored are " + producer.sent() + ".");
            throw e;
        }
        System.out.println(json ? asJson(producer.sent()) : summary(producer.sent()));
        return DONE;
    }

    private static int refuse(String why) {
        System.err.println("Nothing was sent: " + why);
        return NO_ANSWER;
    }

    private Map<String, String> headers(ServerClient client) throws IOException, InterruptedException {
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", whole ? "application/octet-stream" : "application/x-ndjson");
        if (persisted) {
            headers.put("Keptlog-Durability", "persisted");
        }
        if (key != null) {
            headers.put("Keptlog-Key", key);
        } else {
            int[] all = topic.partitions(client, partition);
            if (all.length == 0) {
                throw new Misuse("the topic " + topic + " has no partitions");
            }
            headers.put(
                    "Keptlog-Partition",
                    Integer.toString(all[ThreadLocalRandom.current().nextInt(all.length)]));
        }
        return headers;
    }

    /** −1 when nobody knows: what comes through a pipe. */
    private long totalBytes() throws IOException {
        long total = 0;
        for (Path file : files) {
            total += Files.size(file);
        }
        return files.isEmpty() ? -1 : total;
    }

    private void sendAll(Producer producer, Progress bar) throws IOException, InterruptedException {
        if (files.isEmpty()) {
            sendLines(producer, System.in, bar);
        }
        for (Path file : files) {
            try (InputStream in = open(file)) {
                if (whole) {
                    send(producer, content(in), 1, bar);
                } else {
                    sendLines(producer, in, bar);
                }
            }
        }
    }

    private void sendLines(Producer producer, InputStream in, Progress bar) throws IOException, InterruptedException {
        var chunks = new LineChunks(in, Limits.PAYLOAD_MAX_BYTES);
        LineChunks.Chunk chunk = next(chunks);
        while (chunk != null) {
            send(producer, chunk.bytes(), chunk.lines(), bar);
            chunk = next(chunks);
        }
    }

    // A failure of the input is none of the server.

    private static InputStream open(Path file) throws InputFailed {
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new InputFailed(e);
        }
    }

    private static byte[] content(InputStream in) throws InputFailed {
        try {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new InputFailed(e);
        }
    }

    private static LineChunks.@Nullable Chunk next(LineChunks chunks) throws InputFailed {
        try {
            return chunks.next();
        } catch (IOException e) {
            throw new InputFailed(e);
        }
    }

    private void send(Producer producer, byte[] body, long messages, Progress bar)
            throws IOException, InterruptedException {
        last = producer.send(body, messages);
        if (baseOffset < 0) {
            baseOffset = last.path("base_offset").asLong(-1);
        }
        bar.advanced(body.length);
    }

    private String summary(long messages) {
        if (last.isEmpty()) {
            return messages + " messages sent to " + topic + (messages == 0 ? "" : ", not acknowledged");
        }
        return messages + (messages == 1 ? " message" : " messages") + " stored in " + topic + " partition "
                + last.path("partition_id").asString() + ", offsets " + baseOffset + " to "
                + (last.path("end_offset").asLong() - 1) + ": "
                + last.path("durability").asString() + ", in "
                + last.path("stored_in").asString().replace('_', ' ') + ", copies: "
                + last.path("copies").asString();
    }

    private String asJson(long messages) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("messages", messages);
        if (!last.isEmpty()) {
            told.put("base_offset", baseOffset);
            for (String member : List.of("end_offset", "partition_id", "durability", "stored_in", "copies", "epoch")) {
                told.put(member, last.path(member));
            }
        }
        return Answer.JSON.writeValueAsString(told);
    }
}
