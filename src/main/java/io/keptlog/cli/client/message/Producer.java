// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import io.keptlog.cli.client.Backoff;
import io.keptlog.cli.client.ServerClient;
import io.keptlog.cli.client.ServerRefused;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;

/**
 * Sends messages to one partition, each exactly once: every request carries this producer's number and the sequence of its first message,
 * so one whose answer did not come is repeated without a duplicate. Used by one thread.
 */
final class Producer {
    private static final long PAUSE_MILLIS = 100;
    private static final long PAUSE_MAX_MILLIS = 2_000;

    private final ServerClient client;
    private final String path;
    private final Map<String, String> headers;
    private final long retryNanos;
    private final Backoff backoff = new Backoff(PAUSE_MILLIS, PAUSE_MAX_MILLIS);
    private final String id = Long.toString(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
    private long sent;

    /**
     * @param path of the topic's messages, with its query
     * @param headers of every request: where to, what it is, how durable
     */
    Producer(ServerClient client, String path, Map<String, String> headers, long retryNanos) {
        this.client = client;
        this.path = path;
        this.headers = headers;
        this.retryNanos = retryNanos;
    }

    /**
     * Sends the messages that the body holds and waits for their confirmation.
     *
     * @return the confirmation; without members when nothing was to be waited for
     * @throws ServerRefused not stored, except for as many lines as it says
     * @throws IOException no answer until now: may be stored
     */
    JsonNode send(byte[] body, long messages) throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Keptlog-Producer-Id", id);
        all.put("Keptlog-Producer-Epoch", "0");
        all.put("Keptlog-Producer-Sequence", Long.toString(sent));
        long end = System.nanoTime() + retryNanos;
        while (true) {
            try {
                JsonNode reply = client.send("POST", path, BodyPublishers.ofByteArray(body), all)
                        .json();
                sent += messages;
                backoff.reset();
                return reply.path("confirmations").path(0);
            } catch (ServerRefused e) {
                if (!e.isTransient() || System.nanoTime() - end > 0) {
                    sent += e.storedLines();
                    throw e;
                }
                backoff.pause(e.retryAfterMillis());
            } catch (IOException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                backoff.pause(0);
            }
        }
    }

    /** Messages that are stored. */
    long sent() {
        return sent;
    }
}
