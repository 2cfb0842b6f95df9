// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.util.zip.CRC32C;

/**
 * Writes messages straight into their stored form (see {@link RecordLayout}), in one growing pooled array with room before the first
 * record for the frame's header. Per message: {@link #begin}, its user headers if any, its payload in one or more pieces, {@link #end}.
 * Not thread-safe. The batch that {@link #build} returns lies in the builder's array and is valid until {@link #reset} or {@link #close}.
 * Refusals are KeptlogExceptions; after one only {@link #reset} and {@link #close} make sense: nothing has left the builder.
 */
public final class BatchBuilder implements AutoCloseable {
    /** Room before the first record: the size of a frame's header. */
    public static final int HEAD_ROOM_BYTES = 96;
    /** Zero bytes after the last record, so that a frame can be padded to its alignment in place. */
    public static final int TAIL_ROOM_BYTES = 8;

    private static final int CAPACITY_MAX_BYTES = HEAD_ROOM_BYTES + Limits.BATCH_MAX_BYTES + TAIL_ROOM_BYTES;

    private final BufferPool pool;
    private final CRC32C crc = new CRC32C();
    private byte[] bytes;
    private int end = HEAD_ROOM_BYTES;
    private int count;
    private int record = -1;
    private int payloadBase;
    private int headersForm;
    private int completedEnd = HEAD_ROOM_BYTES;

    /**
     * @param expectedBytes of all records, a hint
     */
    public BatchBuilder(BufferPool pool, int expectedBytes) {
        this.pool = pool;
        long wanted = (long) HEAD_ROOM_BYTES + Math.max(0, expectedBytes) + TAIL_ROOM_BYTES;
        this.bytes = pool.take((int) Math.min(wanted, CAPACITY_MAX_BYTES));
    }

    /** Messages that are complete. */
    public int count() {
        return count;
    }

    /** Stored bytes of the messages that are complete. */
    public int bodyLength() {
        return completedEnd - HEAD_ROOM_BYTES;
    }

    /** Stored bytes so far of the message that is begun and not ended, 0 when there is none. */
    public int openRecordLength() {
        return record < 0 ? 0 : end - record;
    }

    /**
     * Begins a message.
     *
     * @throws KeptlogException TOO_MANY_MESSAGES
     */
    public void begin() {
        if (record >= 0) {
            throw new IllegalStateException("the message before is not ended");
        }
        if (count == Limits.MESSAGES_PER_BATCH_MAX) {
            throw new KeptlogException(
                    ErrorCode.TOO_MANY_MESSAGES,
                    "A batch takes at most " + Limits.MESSAGES_PER_BATCH_MAX + " messages.",
                    "messages");
        }
        reserve(RecordLayout.HEADER_BYTES);
        record = end;
        end += RecordLayout.HEADER_BYTES;
        payloadBase = end;
        headersForm = RecordLayout.FORM_NONE;
    }

    /**
     * Adds a key or a value of a user header that was sent as a list; keys and values come in turn.
     *
     * @throws KeptlogException TOO_BIG_USER_HEADERS
     */
    public void headerPart(HeaderKind kind, byte[] source, int offset, int length) {
        requireHeadersOpen();
        headersForm = RecordLayout.FORM_LIST;
        reserve(HeaderKind.PREFIX_BYTES + length);
        bytes[end] = (byte) kind.code();
        LittleEndian.putInt(bytes, end + 1, length);
        System.arraycopy(source, offset, bytes, end + HeaderKind.PREFIX_BYTES, length);
        headersGrow(HeaderKind.PREFIX_BYTES + length);
    }

    /**
     * Adds all user headers in Iggy's raw form, as they were sent.
     *
     * @throws KeptlogException TOO_BIG_USER_HEADERS
     */
    public void rawHeaders(byte[] source, int offset, int length) {
        requireHeadersOpen();
        headersForm = RecordLayout.FORM_RAW;
        reserve(length);
        System.arraycopy(source, offset, bytes, end, length);
        headersGrow(length);
    }

    private void requireHeadersOpen() {
        if (record < 0 || end != payloadBase) {
            throw new IllegalStateException("user headers come after begin and before the payload");
        }
    }

    private void headersGrow(int length) {
        end += length;
        payloadBase = end;
        int headersLength = payloadBase - record - RecordLayout.HEADER_BYTES;
        if (headersLength > Limits.USER_HEADERS_MAX_BYTES) {
            throw new KeptlogException(
                    ErrorCode.TOO_BIG_USER_HEADERS,
                    "The user headers of a message take at most " + Limits.USER_HEADERS_MAX_BYTES + " bytes.",
                    "user_headers");
        }
    }

    /**
     * Adds bytes to the payload.
     *
     * @throws KeptlogException TOO_BIG_MESSAGE_PAYLOAD, PAYLOAD_TOO_LARGE (the batch)
     */
    public void payload(byte[] source, int offset, int length) {
        if (record < 0) {
            throw new IllegalStateException("no message is begun");
        }
        if (end - payloadBase + (long) length > Limits.PAYLOAD_MAX_BYTES) {
            throw new KeptlogException(
                    ErrorCode.TOO_BIG_MESSAGE_PAYLOAD,
                    "A payload takes at most " + Limits.PAYLOAD_MAX_BYTES + " bytes.",
                    "payload");
        }
        reserve(length);
        System.arraycopy(source, offset, bytes, end, length);
        end += length;
    }

    /** Ends the message: its lengths and its checksum are written. An empty payload is allowed here. */
    public void end(long idHigh, long idLow, long originTimestampMicros) {
        if (record < 0) {
            throw new IllegalStateException("no message is begun");
        }
        int length = end - record;
        LittleEndian.putInt(bytes, record + RecordLayout.LENGTH, length);
        LittleEndian.putLong(bytes, record + RecordLayout.ID_LOW, idLow);
        LittleEndian.putLong(bytes, record + RecordLayout.ID_HIGH, idHigh);
        LittleEndian.putLong(bytes, record + RecordLayout.ORIGIN_TIMESTAMP, originTimestampMicros);
        LittleEndian.putInt(bytes, record + RecordLayout.PAYLOAD_LENGTH, end - payloadBase);
        LittleEndian.putInt(
                bytes, record + RecordLayout.HEADERS_LENGTH, payloadBase - record - RecordLayout.HEADER_BYTES);
        LittleEndian.putInt(bytes, record + RecordLayout.HEADERS_FORM, headersForm);
        crc.reset();
        crc.update(bytes, record + RecordLayout.ID_LOW, length - RecordLayout.ID_LOW);
        LittleEndian.putInt(bytes, record + RecordLayout.CRC, (int) crc.getValue());
        count++;
        record = -1;
        completedEnd = end;
    }

    /**
     * The complete messages as one batch; a message that is begun is left out.
     *
     * @throws KeptlogException INVALID_MESSAGES_COUNT when there is none
     */
    public MessageBatch build() {
        if (count == 0) {
            throw new KeptlogException(
                    ErrorCode.INVALID_MESSAGES_COUNT, "A batch needs at least one message.", "messages");
        }
        if (record < 0) {
            LittleEndian.putLong(bytes, end, 0);
        }
        crc.reset();
        crc.update(bytes, HEAD_ROOM_BYTES, bodyLength());
        return new MessageBatch(bytes, HEAD_ROOM_BYTES, bodyLength(), count, (int) crc.getValue(), null);
    }

    /** Forgets the complete messages; a message that is begun stays begun. */
    public void reset() {
        if (record >= 0) {
            int open = end - record;
            System.arraycopy(bytes, record, bytes, HEAD_ROOM_BYTES, open);
            payloadBase -= record - HEAD_ROOM_BYTES;
            record = HEAD_ROOM_BYTES;
            end = HEAD_ROOM_BYTES + open;
        } else {
            end = HEAD_ROOM_BYTES;
        }
        completedEnd = HEAD_ROOM_BYTES;
        count = 0;
    }

    /** Gives the array back. The batch is invalid from here on. Repeatable. */
    @Override
    public void close() {
        byte[] old = bytes;
        bytes = EMPTY;
        end = HEAD_ROOM_BYTES;
        completedEnd = HEAD_ROOM_BYTES;
        record = -1;
        count = 0;
        if (old.length > 0) {
            pool.give(old);
        }
    }

    private static final byte[] EMPTY = new byte[0];

    private void reserve(int more) {
        long needed = (long) end + more + TAIL_ROOM_BYTES;
        if (needed > bytes.length) {
            grow(needed);
        }
    }

    private void grow(long needed) {
        if (bytes.length == 0) {
            throw new IllegalStateException("closed");
        }
        if (needed > CAPACITY_MAX_BYTES) {
            throw new KeptlogException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "A batch takes at most " + Limits.BATCH_MAX_BYTES + " stored bytes.",
                    "messages");
        }
        byte[] larger = pool.take((int) Math.min(CAPACITY_MAX_BYTES, Math.max(needed, bytes.length * 2L)));
        System.arraycopy(bytes, HEAD_ROOM_BYTES, larger, HEAD_ROOM_BYTES, end - HEAD_ROOM_BYTES);
        pool.give(bytes);
        bytes = larger;
    }
}
