// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import io.keptlog.cli.client.Backoff;
import io.keptlog.cli.client.ServerClient;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads one partition from an offset on, and knows how far it has come: after a failure the next read goes on there, and passes the epoch
 * on, so that a cut by a recovery shows as a gap. Used by one thread.
 */
final class PartitionReader {
    private static final int WAIT_SHARE = 2;
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final long PAUSE_MILLIS = 100;
    private static final long PAUSE_MAX_MILLIS = 1_000;

    private final ServerClient client;
    private final String messages;
    private final int partition;
    private final boolean persistedOnly;
    private final Backoff backoff = new Backoff(PAUSE_MILLIS, PAUSE_MAX_MILLIS);
    private String start;
    private @Nullable String epoch;
    private long next;

    private PartitionReader(ServerClient client, String topic, int partition, boolean persistedOnly, String start) {
        this.client = client;
        this.messages = topic + "/messages?partition_id=" + partition;
        this.partition = partition;
        this.persistedOnly = persistedOnly;
        this.start = start;
    }

    static PartitionReader fromOffset(
            ServerClient client, String topic, int partition, boolean persistedOnly, long offset) {
        return new PartitionReader(client, topic, partition, persistedOnly, "&kind=offset&value=" + offset);
    }

    static PartitionReader fromFirst(ServerClient client, String topic, int partition, boolean persistedOnly) {
        return new PartitionReader(client, topic, partition, persistedOnly, "&kind=first");
    }

    static PartitionReader fromTime(
            ServerClient client, String topic, int partition, boolean persistedOnly, long micros) {
        return new PartitionReader(client, topic, partition, persistedOnly, "&kind=timestamp&value=" + micros);
    }

    /** The newest messages; the first read gives all of them. */
    static PartitionReader fromLast(ServerClient client, String topic, int partition, boolean persistedOnly) {
        return new PartitionReader(client, topic, partition, persistedOnly, "&kind=last");
    }

    int partition() {
        return partition;
    }

    /** Offset behind the last message that was read. */
    long next() {
        return next;
    }

    /**
     * The next messages, at most so many. An empty answer that comes sooner than asked for (a server that does not wait) is followed by a
     * pause, so that asking again and again costs little.
     *
     * @param waitMillis how long to wait for one when there is none
     * @return a poll's reply
     */
    JsonNode read(int count, long waitMillis) throws IOException, InterruptedException {
        String query = start
                + "&count=" + count
                + (epoch == null ? "" : "&epoch=" + epoch)
                + (persistedOnly ? "&visibility=persisted" : "")
                + (waitMillis > 0 ? "&wait=" + waitMillis / MILLIS_PER_SECOND + "s" : "");
        long begin = System.nanoTime();
        JsonNode reply = client.send("GET", messages + query, BodyPublishers.noBody(), Map.of())
                .json();
        epoch = reply.path("epoch").asString(null);
        boolean moved = moveOn(reply);
        if (moved) {
            backoff.reset();
        } else if (waitMillis > 0 && millisSince(begin) < waitMillis / WAIT_SHARE) {
            backoff.pause(0);
        }
        return reply;
    }

    private static long millisSince(long begin) {
        return (System.nanoTime() - begin) / 1_000_000;
    }

    private boolean moveOn(JsonNode reply) {
        JsonNode list = reply.path("messages");
        JsonNode gap = reply.path("gap");
        if (!list.isEmpty()) {
            next = list.get(list.size() - 1).at("/header/offset").asLong() + 1;
        } else if (gap.isObject()) {
            next = gap.path("to_offset").asLong();
        } else if (start.startsWith("&kind=last")) {
            next = 0;
        } else {
            return false;
        }
        start = "&kind=offset&value=" + next;
        return true;
    }
}
