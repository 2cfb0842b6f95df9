// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What each failure would do to a topic right now, in lines that a person reads. */
@Command(
        name = "explain",
        description =
                "Says what each failure would do to a topic's acknowledged messages, and how much is at risk now.",
        footer = ServerCommand.EXIT_CODES,
        mixinStandardHelpOptions = true)
public final class ExplainCommand extends ServerCommand {
    private static final Table FAILURES = new Table("FAILURE", "VERDICT", "MESSAGES", "BYTES", "AGE");
    private static final Table PARTITIONS = new Table("PARTITION", "STATE", "END", "PERSISTED END", "AT RISK");

    @Mixin
    private final TopicName topic = new TopicName();

    @Option(names = "--json", description = "Print the server's JSON.")
    private boolean json;

    @Override
    protected int run(ServerClient client) throws IOException, InterruptedException {
        JsonNode told = client.get(topic.path() + "/durability");
        if (json) {
            System.out.println(told);
            return DONE;
        }
        System.out.println(topic + ": durability " + told.path("durability").asString()
                + ", consumer_offset_durability "
                + told.path("consumer_offset_durability").asString() + "\n");
        System.out.println(FAILURES.text(told.path("failures"), ExplainCommand::failure) + "\n");
        System.out.println(PARTITIONS.text(told.path("partitions"), ExplainCommand::partition));
        JsonNode device = told.path("device");
        if (device.isObject()) {
            System.out.println("\nThe disk is " + device.path("verdict").asString()
                    + (device.path("doubts").isEmpty() ? "" : ": " + device.path("doubts"))
                    + ". No program can prove that it keeps what it calls synced.");
        }
        return DONE;
    }

    private static List<String> failure(JsonNode failure) {
        JsonNode risk = failure.path("at_risk");
        return List.of(
                words(failure.path("failure")),
                words(failure.path("verdict")),
                risk.path("messages").asString(),
                risk.path("bytes").asString(),
                risk.path("age_millis").asString() + " ms");
    }

    private static String words(JsonNode name) {
        return name.asString().replace('_', ' ');
    }

    private static List<String> partition(JsonNode partition) {
        return List.of(
                partition.path("partition_id").asString(),
                partition.path("state").asString(),
                partition.path("end_offset").asString(),
                partition.path("persisted_end_offset").asString(),
                partition.at("/at_risk/messages").asString() + " messages");
    }
}
