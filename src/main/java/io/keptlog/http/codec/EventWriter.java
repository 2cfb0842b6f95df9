// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keptlog.domain.Gap;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes server-sent events: each message straight from its stored bytes, in the form that it has in a poll. Safe for any number of
 * threads. Only messages have an id, so that what a reader resumes after is always a message that it has.
 *
 * <pre>
 * id: 41                     id: 41@7 with epochs
 * data: {"header":{"checksum", "id", "offset": 41, ...}, "payload", "user_headers"}
 *
 * event: gap                 data: {"from_offset", "to_offset", "reason"}
 * event: heartbeat           data: {"partition_id", "current_offset", "next_offset", "epoch"}
 * event: end                 retry: 1000, data: {"id", "code", "reason", "field", ...}, the form of every error
 * </pre>
 *
 * Each event ends with an empty line; JSON has no line end inside.
 */
public final class EventWriter {
    private static final byte[] ID = "id: ".getBytes(US_ASCII);
    private static final byte[] DATA = "\ndata: {\"header\":{\"checksum\":".getBytes(US_ASCII);
    private static final byte[] EVENT_END = "\n\n".getBytes(US_ASCII);

    private final BufferPool pool;

    public EventWriter(BufferPool pool) {
        this.pool = pool;
    }

    /**
     * @param withEpoch whether ids carry the partition's epoch behind the offset
     * @throws IOException the reader went away or is too slow; part of an event may be written
     */
    public void messages(Slice slice, boolean withEpoch, OutputStream out) throws IOException {
        try (var buffer = new ReplyBuffer(pool, out)) {
            for (RecordRun run : slice.runs()) {
                var reader = new RecordReader(run);
                while (reader.next()) {
                    buffer.put(ID);
                    buffer.number(reader.offset());
                    if (withEpoch) {
                        buffer.put('@');
                        buffer.number(slice.epoch());
                    }
                    PollJsonWriter.writeMessage(reader, DATA, buffer);
                    buffer.put(EVENT_END);
                }
            }
            buffer.finish();
        }
    }

    public void gap(Gap gap, OutputStream out) throws IOException {
        event(
                "gap",
                "",
                "{\"from_offset\":" + Long.toUnsignedString(gap.fromOffset()) + ",\"to_offset\":"
                        + Long.toUnsignedString(gap.toOffset()) + ",\"reason\":\""
                        + gap.reason().wireName() + "\"}",
                out);
    }

    /** Of a reader that has everything up to {@code nextOffset}. */
    public void heartbeat(PollReply at, long nextOffset, OutputStream out) throws IOException {
        event(
                "heartbeat",
                "",
                "{\"partition_id\":" + at.partitionId() + ",\"current_offset\":"
                        + Long.toUnsignedString(at.currentOffset()) + ",\"next_offset\":"
                        + Long.toUnsignedString(nextOffset) + ",\"epoch\":" + Long.toUnsignedString(at.epoch()) + "}",
                out);
    }

    /**
     * The last event of a stream.
     *
     * @param error the error's JSON
     */
    public void end(byte[] error, OutputStream out) throws IOException {
        event("end", "retry: 1000\n", new String(error, UTF_8), out);
    }

    private static void event(String name, String field, String data, OutputStream out) throws IOException {
        out.write(("event: " + name + "\n" + field + "data: " + data + "\n\n").getBytes(UTF_8));
    }
}
