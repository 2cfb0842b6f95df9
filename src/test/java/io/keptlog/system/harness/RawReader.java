// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads a whole partition in raw polls, in a loop over Keptlog-Next-Offset, and checks that the numbers fit on the way. */
public final class RawReader {
    private static final int COUNT = 10_000;

    private RawReader() {}

    /** What receives the bytes of one poll. */
    private interface Chunk {
        void take(byte[] body, long first, long count);
    }

    /** SHA-256 of all payloads, each followed by LF. */
    public static String sha256(Client client, String topic, int partition) {
        MessageDigest digest = sha256();
        read(client, topic, partition, 0, (body, first, count) -> digest.update(body));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** All messages of a partition whose payloads hold no LF, from an offset on. */
    public static List<String> lines(Client client, String topic, int partition, long from) {
        List<String> lines = new ArrayList<>();
        read(client, topic, partition, from, (body, first, count) -> {
            String text = new String(body, StandardCharsets.UTF_8);
            List<String> here = List.of(text.split("\n", -1));
            if (here.size() != count + 1 || !here.getLast().isEmpty()) {
                throw new AssertionError("count " + count + " but " + (here.size() - 1) + " lines at " + first);
            }
            lines.addAll(here.subList(0, here.size() - 1));
        });
        return lines;
    }

    private static void read(Client client, String topic, int partition, long from, Chunk chunk) {
        long next = from;
        while (true) {
            Reply reply = client.rawPoll(topic, partition, next, COUNT).expect(200);
            long count = reply.number("Keptlog-Count");
            if (count == 0) {
                return;
            }
            long first = reply.number("Keptlog-First-Offset");
            long after = reply.number("Keptlog-Next-Offset");
            if (first != next || after != first + count) {
                throw new AssertionError(
                        "asked from " + next + ", got " + count + " from " + first + ", next " + after);
            }
            chunk.take(reply.body(), first, count);
            next = after;
        }
    }

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
