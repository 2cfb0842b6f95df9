// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import io.keptlog.cli.client.Answer;
import io.keptlog.cli.client.ServerCommand.OutputFailed;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Writes messages to standard output: payloads as they are, each followed by LF, or with what is known about them. What is missing is told
 * on standard error. One thread at a time. Throws {@link OutputFailed}: then nobody has seen the messages.
 */
final class MessagePrinter {
    /** How a message is shown. */
    enum Format {
        text,
        full,
        json
    }

    private final OutputStream out;
    private final Format format;

    MessagePrinter(OutputStream out, Format format) {
        this.out = new BufferedOutputStream(out);
        this.format = format;
    }

    /** Writes the messages of a poll's reply, at most so many, and hands them to the system. */
    int print(JsonNode reply, long atMost) throws OutputFailed {
        int partition = reply.path("partition_id").asInt();
        JsonNode gap = reply.path("gap");
        if (gap.isObject()) {
            System.err.println("partition " + partition + ": offsets "
                    + gap.path("from_offset").asString() + " to "
                    + (gap.path("to_offset").asLong() - 1) + " are gone ("
                    + gap.path("reason").asString() + ")");
        }
        int printed = 0;
        try {
            for (JsonNode message : reply.path("messages")) {
                if (printed == atMost) {
                    break;
                }
                write(partition, message);
                printed++;
            }
            out.flush();
        } catch (IOException e) {
            throw new OutputFailed(e);
        }
        return printed;
    }

    private void write(int partition, JsonNode message) throws IOException {
        JsonNode header = message.path("header");
        switch (format) {
            case text -> out.write(payload(message));
            case full -> {
                out.write((partition + "/" + header.path("offset").asString() + "  "
                                + time(header.path("timestamp").asLong()) + "  ")
                        .getBytes(StandardCharsets.US_ASCII));
                out.write(payload(message));
            }
            case json -> {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("partition_id", partition);
                line.put("offset", header.path("offset"));
                line.put("timestamp", header.path("timestamp"));
                line.put("origin_timestamp", header.path("origin_timestamp"));
                line.put("id", header.path("id"));
                line.put("user_headers", message.path("user_headers"));
                line.put("payload", message.path("payload"));
                out.write(Answer.JSON.writeValueAsBytes(line));
            }
        }
        out.write('\n');
    }

    private static byte[] payload(JsonNode message) {
        return Base64.getDecoder().decode(message.path("payload").asString());
    }

    private static String time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
