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

/** Streams: the groups that topics are in. */
@Command(
        name = "stream",
        description = "Creates, lists, shows and deletes streams.",
        footer = ServerCommand.EXIT_CODES,
        synopsisSubcommandLabel = "(create | list | show | delete)",
        mixinStandardHelpOptions = true)
public final class StreamCommand {
    private static final Table STREAMS = new Table("ID", "NAME", "TOPICS", "MESSAGES", "SIZE");

    @Command(description = "Creates a stream.", mixinStandardHelpOptions = true)
    int create(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "STREAM", description = "Its name.") String stream,
            @Option(
                            names = {"-o", "--option"},
                            paramLabel = "KEY=VALUE",
                            description = "An option of the stream, as in -o ensemble_size=3; those of a server:"
                                    + " GET /options/stream.")
                    @Nullable
                    Map<String, String> options)
            throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            Map<String, Object> wish = new HashMap<>(Map.of("name", stream));
            if (options != null && !options.isEmpty()) {
                wish.put("options", options);
            }
            JsonNode made = client.json("POST", "/streams", wish);
            System.out.println("Created the stream " + made.path("name").asString() + " with the number "
                    + made.path("id").asString() + ".");
            return ServerCommand.DONE;
        });
    }

    @Command(description = "Lists all streams.", mixinStandardHelpOptions = true)
    int list(
            @Mixin ServerOptions server,
            @Option(names = "--json", description = "Print the server's JSON.") boolean json)
            throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            JsonNode all = client.get("/streams");
            System.out.println(json ? all.toString() : STREAMS.text(all, StreamCommand::row));
            return ServerCommand.DONE;
        });
    }

    private static List<String> row(JsonNode stream) {
        return List.of(
                stream.path("id").asString(),
                stream.path("name").asString(),
                stream.path("topics_count").asString(),
                stream.path("messages_count").asString(),
                stream.path("size").asString());
    }

    @Command(description = "Shows a stream and its topics.", mixinStandardHelpOptions = true)
    int show(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "STREAM", description = "Its name or number.") String stream)
            throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            System.out.println(client.get(ServerClient.path("streams", stream)).toPrettyString());
            return ServerCommand.DONE;
        });
    }

    @Command(description = "Deletes a stream with all its topics and messages.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "STREAM", description = "Its name or number.") String stream,
            @Option(names = "--yes", description = "Really delete it.") boolean sure)
            throws InterruptedException {
        return ServerCommand.ask(server, client -> {
            if (!sure) {
                throw new ServerCommand.Misuse("Nothing was deleted: say --yes to delete " + stream + " for good.");
            }
            client.delete(ServerClient.path("streams", stream));
            System.out.println("Deleted the stream " + stream + ".");
            return ServerCommand.DONE;
        });
    }
}
