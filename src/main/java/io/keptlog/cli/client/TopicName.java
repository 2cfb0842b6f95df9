// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.IOException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The first two words of most commands. */
public final class TopicName {
    @Parameters(index = "0", paramLabel = "STREAM", description = "Name or number of the stream.")
    private String stream = "";

    @Parameters(index = "1", paramLabel = "TOPIC", description = "Name or number of the topic in it.")
    private String topic = "";

    public String streamPath() {
        return ServerClient.path("streams", stream);
    }

    public String topic() {
        return topic;
    }

    public String path() {
        return ServerClient.path("streams", stream, "topics", topic);
    }

    /** The partitions that are meant: the one that was named, else all there are. */
    public int[] partitions(ServerClient client, @Nullable Integer named) throws IOException, InterruptedException {
        return named != null
                ? new int[] {named}
                : IntStream.range(0, client.get(path()).path("partitions_count").asInt())
                        .toArray();
    }

    @Override
    public String toString() {
        return stream + "/" + topic;
    }
}
