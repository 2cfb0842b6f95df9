// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.HeaderKind;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes Iggy's PolledMessages straight from stored bytes, with a bounded scratch array and no object per message. Safe for any number
 * of threads.
 *
 * <pre>
 * {"partition_id", "current_offset", "count", "messages": [{"header": {"checksum", "id", "offset", "timestamp", "origin_timestamp",
 *  "user_headers_length", "payload_length", "reserved"}, "payload", "user_headers"}], "epoch", "gap"?: {"from_offset", "to_offset",
 *  "reason"}}
 * </pre>
 *
 * u64 and u128 are bare numbers. User headers come back in the form they were sent in; their length is that of their stored bytes.
 */
public final class PollJsonWriter {
    private static final byte[] PARTITION_ID = ascii("{\"partition_id\":");
    private static final byte[] CURRENT_OFFSET = ascii(",\"current_offset\":");
    private static final byte[] COUNT = ascii(",\"count\":");
    private static final byte[] MESSAGES = ascii(",\"messages\":[");
    private static final byte[] FIRST = ascii("{\"header\":{\"checksum\":");
    private static final byte[] NEXT = ascii(",{\"header\":{\"checksum\":");
    private static final byte[] ID = ascii(",\"id\":");
    private static final byte[] OFFSET = ascii(",\"offset\":");
    private static final byte[] TIMESTAMP = ascii(",\"timestamp\":");
    private static final byte[] ORIGIN_TIMESTAMP = ascii(",\"origin_timestamp\":");
    private static final byte[] HEADERS_LENGTH = ascii(",\"user_headers_length\":");
    private static final byte[] PAYLOAD_LENGTH = ascii(",\"payload_length\":");
    private static final byte[] PAYLOAD = ascii(",\"reserved\":0},\"payload\":\"");
    private static final byte[] USER_HEADERS = ascii("\",\"user_headers\":");
    private static final byte[] KEY_KIND = ascii("{\"key\":{\"kind\":\"");
    private static final byte[] VALUE_KIND = ascii("},\"value\":{\"kind\":\"");
    private static final byte[] VALUE = ascii("\",\"value\":\"");
    private static final byte[] EPOCH = ascii("],\"epoch\":");
    private static final byte[] GAP_FROM = ascii(",\"gap\":{\"from_offset\":");
    private static final byte[] GAP_TO = ascii(",\"to_offset\":");
    private static final byte[] GAP_REASON = ascii(",\"reason\":\"");
    private static final byte[] GAP_END = ascii("\"}");
    private static final byte[] NO_HEADERS = ascii("[]}");

    /** By code. */
    private static final byte[][] KIND_NAMES = new byte[HeaderKind.values().length + 1][];

    static {
        for (HeaderKind kind : HeaderKind.values()) {
            KIND_NAMES[kind.code()] = ascii(kind.wireName());
        }
    }

    private final BufferPool pool;

    public PollJsonWriter(BufferPool pool) {
        this.pool = pool;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /**
     * Writes the reply and leaves the slice and the stream open.
     *
     * @throws IOException the reader went away; part of the reply may be written
     * @throws KeptlogException PARTITION_DAMAGED; part of the reply may be written
     */
    public void write(Slice slice, PollReply reply, OutputStream out) throws IOException {
        try (var buffer = new ReplyBuffer(pool, out)) {
            buffer.put(PARTITION_ID);
            buffer.number(reply.partitionId());
            buffer.put(CURRENT_OFFSET);
            buffer.number(reply.currentOffset());
            buffer.put(COUNT);
            buffer.number(slice.count());
            buffer.put(MESSAGES);
            boolean first = true;
            for (RecordRun run : slice.runs()) {
                var reader = new RecordReader(run);
                while (reader.next()) {
                    writeMessage(reader, first ? FIRST : NEXT, buffer);
                    first = false;
                }
            }
            buffer.put(EPOCH);
            buffer.number(reply.epoch());
            Gap gap = reply.gap();
            if (gap != null) {
                writeGap(gap, buffer);
            }
            buffer.put('}');
            buffer.finish();
        }
    }

    private static void writeGap(Gap gap, ReplyBuffer buffer) throws IOException {
        buffer.put(GAP_FROM);
        buffer.number(gap.fromOffset());
        buffer.put(GAP_TO);
        buffer.number(gap.toOffset());
        buffer.put(GAP_REASON);
        buffer.put(ascii(gap.reason().wireName()));
        buffer.put(GAP_END);
    }

    /**
     * One element of {@code messages}.
     *
     * @param opening what comes before the checksum's number
     */
    static void writeMessage(RecordReader reader, byte[] opening, ReplyBuffer buffer) throws IOException {
        buffer.put(opening);
        buffer.number(Integer.toUnsignedLong(reader.crc()));
        buffer.put(ID);
        buffer.number(reader.idHigh(), reader.idLow());
        buffer.put(OFFSET);
        buffer.number(reader.offset());
        buffer.put(TIMESTAMP);
        buffer.number(reader.timestampMicros());
        buffer.put(ORIGIN_TIMESTAMP);
        buffer.number(reader.originTimestampMicros());
        buffer.put(HEADERS_LENGTH);
        buffer.number(reader.headersLength());
        buffer.put(PAYLOAD_LENGTH);
        buffer.number(reader.payloadLength());
        buffer.put(PAYLOAD);
        buffer.base64(reader.records(), reader.payloadPosition(), reader.payloadLength());
        buffer.put(USER_HEADERS);
        switch (reader.headersForm()) {
            case RecordLayout.FORM_RAW -> {
                buffer.put('"');
                buffer.base64(reader.records(), reader.headersPosition(), reader.headersLength());
                buffer.put('"');
                buffer.put('}');
            }
            case RecordLayout.FORM_LIST -> {
                writeHeaderList(reader, buffer);
                buffer.put('}');
            }
            default -> buffer.put(NO_HEADERS);
        }
    }

    private static void writeHeaderList(RecordReader reader, ReplyBuffer buffer) throws IOException {
        long position = reader.headersPosition();
        long end = position + reader.headersLength();
        char separator = '[';
        while (position < end) {
            buffer.put(separator);
            position = writeHeaderPart(reader, position, end, KEY_KIND, buffer);
            position = writeHeaderPart(reader, position, end, VALUE_KIND, buffer);
            buffer.put('}');
            buffer.put('}');
            separator = ',';
        }
        if (separator == '[') {
            buffer.put('[');
        }
        buffer.put(']');
    }

    private static long writeHeaderPart(
            RecordReader reader, long position, long end, byte[] opening, ReplyBuffer buffer) throws IOException {
        MemorySegment records = reader.records();
        if (end - position < HeaderKind.PREFIX_BYTES) {
            throw damaged(reader);
        }
        HeaderKind kind =
                HeaderKind.ofCode(records.get(ValueLayout.JAVA_BYTE, position)).orElseThrow(() -> damaged(reader));
        int length = records.get(RecordLayout.U32, position + 1);
        long value = position + HeaderKind.PREFIX_BYTES;
        if (length < 0 || length > end - value) {
            throw damaged(reader);
        }
        buffer.put(opening);
        buffer.put(KIND_NAMES[kind.code()]);
        buffer.put(VALUE);
        buffer.base64(records, value, length);
        buffer.put('"');
        return value + length;
    }

    private static KeptlogException damaged(RecordReader reader) {
        return new KeptlogException(
                ErrorCode.PARTITION_DAMAGED,
                "The user headers of offset " + reader.offset() + " do not fit their record.");
    }
}
