// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Topics: where messages are, and what their acknowledgement promises. */
@Command(
        name = "topic",
        description = "Creates, lists, shows and deletes topics.",
        footer = ServerCommand.EXIT_CODES,
        synopsisSubcommandLabel = "(create | list | show | delete)",
        mixinStandardHelpOptions = true)
public final class TopicCommand {
    private static final String DURABILITY = "durability";
    private static final String OFFSET_DURABILITY = "consumer_offset_durability";
    private static final Table TOPICS =
            new Table("ID", "NAME", "PARTITIONS", "MESSAGES", "SIZE", "DURABILITY", "OFFSETS");

    @Command(
            description = "Creates a topic. Its durability is chosen here and kept.",
            footer = "Example: keptlog topic create shop orders --durability persisted -o message_expiry='7 days'",
            mixinStandardHelpOptions = true)
    int create(
            @Mixin ServerOptions server,
            @Mixin TopicName topic,
            @Option(names = "--partitions", paramLabel = "N", defaultValue = "1", description = "Default 1.")
                    int partitions,
            @Option(
                            names = "--durability",
                            paramLabel = "LEVEL",
                            description = "What success of a write means. replicated (default): a crash of the server"
                                    + " takes nothing. persisted: a power cut takes nothing either.")
                    @Nullable
                    String durability,
            @Option(
                            names = "--offset-durability",
                            paramLabel = "LEVEL",
                            description = "The same for consumer offsets; it follows --durability unless it is given.")
                    @Nullable
                    String offsetDurability,
            @Option(
                            names = {"-o", "--option"},
                            paramLabel = "KEY=VALUE",
                            description = "Any option of a topic, as in -o message_expiry='7 days' or"
                                    + " -o segment_size='128 MiB'; all of them: GET /options/topic.")
                    @Nullable
                    Map<String, String> options)
            throws InterruptedException {
        Map<String, String> chosen = new HashMap<>(options == null ? Map.of() : options);
        if (durability != null) {
            chosen.put(DURABILITY, durability);
            chosen.putIfAbsent(OFFSET_DURABILITY, durability);
        }
        if (offsetDurability != null) {
            chosen.put(OFFSET_DURABILITY, offsetDurability);
        }
        return ServerCommand.ask(server, client -> {
            JsonNode made = client.json(
                    "POST",
                    topic.streamPath() + "/topics",
                    Map.of(
                            "name",
                            topic.topic(),
                            "partitions_count",
                            partitions,
                            "compression_algorithm",
                            "none",
                            "message_expiry",
                            0,
                            "max_topic_size",
                            0,
                            "options",
                            chosen));
            System.out.println("Created the topic " + topic + " with "
                    + made.path("partitions_count").asString() + (partitions == 1 ? " partition: " : " partitions: ")
                    + DURABILITY + " " + option(made, DURABILITY) + ", " + OFFSET_DURABILITY + " "
                    + option(made, OFFSET_DURABILITY) + ".");
            return ServerCommand.DONE;
        });
    }

    private static String option(JsonNode topic, String key) {
        return topic.path("options").path(key).path("value").asString("");
    }

    @Command(description = "Lists the topics of a stream.", mixinStandardHelpOptions = true)
    int list(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "STREAM", description = "Its name or number.") String stream,
            @Option(names = "--json", description = "Print the server's JSON.") boolean json)
            throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            // Topics of a stream that is not there are an empty list; asking for the stream tells the two apart.
            client.get(ServerClient.path("streams", stream));
            JsonNode all = client.get(ServerClient.path("streams", stream, "topics"));
            System.out.println(json ? all.toString() : TOPICS.text(all, TopicCommand::row));
            return ServerCommand.DONE;
        });
    }

    private static List<String> row(JsonNode topic) {
        return List.of(
                topic.path("id").asString(),
                topic.path("name").asString(),
                topic.path("partitions_count").asString(),
                topic.path("messages_count").asString(),
                topic.path("size").asString(),
                option(topic, DURABILITY),
                option(topic, OFFSET_DURABILITY));
    }

    @Command(description = "Shows a topic, its options and its partitions.", mixinStandardHelpOptions = true)
    int show(@Mixin ServerOptions server, @Mixin TopicName topic) throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            System.out.println(client.get(topic.path()).toPrettyString());
            return ServerCommand.DONE;
        });
    }

    @Command(description = "Deletes a topic with all its messages.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ServerOptions server,
            @Mixin TopicName topic,
            @Option(names = "--yes", description = "Really delete it.") boolean sure)
            throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            if (!sure) {
                throw new ServerCommand.Misuse("Nothing was deleted: say --yes to delete " + topic + " for good.");
            }
            client.delete(topic.path());
            System.out.println("Deleted the topic " + topic + ".");
            return ServerCommand.DONE;
        });
    }
}
