// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import io.keptlog.cli.client.Backoff;
import io.keptlog.cli.client.ServerClient;
import io.keptlog.cli.client.ServerCommand;
import io.keptlog.cli.client.ServerRefused;
import io.keptlog.cli.client.TopicName;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Goes on where a consumer or a group has stopped, and stores how far it came after each batch was written out: what is interrupted between
 * the two is shown again, never left out.
 */
@Command(
        name = "consume",
        description = "Shows messages from where a consumer or a group has stopped, and stores how far it has come:"
                + " each at least once.",
        footer = ServerCommand.EXIT_CODES,
        mixinStandardHelpOptions = true)
public final class ConsumeCommand extends ServerCommand {
    private static final long WAIT_MILLIS = 20_000;
    private static final long PAUSE_MILLIS = 100;
    private static final long PAUSE_MAX_MILLIS = 1_000;
    private static final int BATCH_MAX = 10_000;

    @Mixin
    private final TopicName topic = new TopicName();

    @ArgGroup(multiplicity = "1")
    private Who who = new Who();

    /** One of the two. */
    static final class Who {
        @Option(names = "--consumer", paramLabel = "NAME", description = "Name or number of a consumer.")
        private @Nullable String consumer;

        @Option(names = "--group", paramLabel = "NAME", description = "Name or number of a group that exists.")
        private @Nullable String group;
    }

    @Option(names = "--partition", paramLabel = "N", description = "Default: all, one after the other.")
    private @Nullable Integer partition;

    @Option(names = "--follow", description = "Wait for more instead of ending when there are none.")
    private boolean follow;

    @Option(names = "--count", paramLabel = "COUNT", description = "End after so many messages.")
    private @Nullable Long count;

    @Option(
            names = "--batch",
            defaultValue = "1000",
            description = "Messages between two stores of the offset; default ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--no-store", description = "Store no offset: the next call shows the same again.")
    private boolean noStore;

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
        if (batch < 1 || batch > BATCH_MAX) {
            throw new Misuse("--batch is 1 to " + BATCH_MAX);
        }
        List<PartitionReader> readers = new ArrayList<>();
        for (int one : topic.partitions(client, partition)) {
            readers.add(reader(client, one));
        }
        var printer = new MessagePrinter(new FileOutputStream(FileDescriptor.out), format);
        var backoff = new Backoff(PAUSE_MILLIS, PAUSE_MAX_MILLIS);
        long left = count == null ? Long.MAX_VALUE : count;
        while (left > 0) {
            long before = left;
            for (PartitionReader reader : readers) {
                left -= round(client, reader, printer, left, readers.size() == 1);
            }
            if (left < before) {
                backoff.reset();
            } else if (!follow) {
                break;
            } else if (readers.size() != 1) {
                backoff.pause(0);
            }
        }
        return DONE;
    }

    /** One batch of a partition: read, written out, and only then stored. Returns how many messages it had. */
    private int round(ServerClient client, PartitionReader reader, MessagePrinter printer, long left, boolean alone)
            throws IOException, InterruptedException {
        if (left <= 0) {
            return 0;
        }
        JsonNode reply = reader.read((int) Math.min(batch, left), follow && alone ? WAIT_MILLIS : 0);
        int shown = printer.print(reply, left);
        if (shown > 0 && !noStore) {
            store(client, reader);
        }
        return shown;
    }

    private String kind() {
        return who.group == null ? "consumer" : "consumer_group";
    }

    private String id() {
        return who.group != null ? who.group : String.valueOf(who.consumer);
    }

    private PartitionReader reader(ServerClient client, int one) throws IOException, InterruptedException {
        String query =
                "?consumer_id=" + ServerClient.encoded(id()) + "&consumer_kind=" + kind() + "&partition_id=" + one;
        try {
            long stored = client.get(topic.path() + "/consumer-offsets" + query)
                    .path("stored_offset")
                    .asLong();
            return PartitionReader.fromOffset(client, topic.path(), one, persisted, stored + 1);
        } catch (ServerRefused e) {
            if (!e.isNeverStored()) {
                throw e;
            }
            return PartitionReader.fromFirst(client, topic.path(), one, persisted);
        }
    }

    private void store(ServerClient client, PartitionReader reader) throws IOException, InterruptedException {
        client.json(
                "PUT",
                topic.path() + "/consumer-offsets",
                Map.of(
                        "consumer_id",
                        id(),
                        "consumer_kind",
                        kind(),
                        "partition_id",
                        reader.partition(),
                        "offset",
                        reader.next() - 1));
    }
}
