// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * Walks over the messages of a {@link RecordRun} without an object per message: {@link #next} moves on, the other methods look at the
 * message it stands on. Not thread-safe; valid while the slice that the run came from is open. A record whose lengths do not fit is
 * refused with PARTITION_DAMAGED before anything of it is handed out; nothing outside the run is ever read.
 */
public final class RecordReader {
    private final RecordRun run;
    private final MemorySegment records;
    private final long limit;
    private int index = -1;
    private long record;
    private long next;
    private int headersLength;
    private int payloadLength;
    private int headersForm;

    public RecordReader(RecordRun run) {
        this.run = run;
        this.records = run.records();
        this.limit = records.byteSize();
    }

    /**
     * Moves to the next message.
     *
     * @return false when there is no further one
     * @throws KeptlogException PARTITION_DAMAGED
     */
    public boolean next() {
        if (index + 1 >= run.count()) {
            return false;
        }
        record = next;
        index++;
        if (limit - record < RecordLayout.HEADER_BYTES) {
            throw damaged();
        }
        long length = Integer.toUnsignedLong(records.get(RecordLayout.U32, record + RecordLayout.LENGTH));
        headersLength = records.get(RecordLayout.U32, record + RecordLayout.HEADERS_LENGTH);
        payloadLength = records.get(RecordLayout.U32, record + RecordLayout.PAYLOAD_LENGTH);
        headersForm = records.get(ValueLayout.JAVA_BYTE, record + RecordLayout.HEADERS_FORM);
        boolean fits = headersLength >= 0
                && payloadLength >= 0
                && length == (long) RecordLayout.HEADER_BYTES + headersLength + payloadLength
                && length <= limit - record
                && headersForm >= RecordLayout.FORM_NONE
                && headersForm <= RecordLayout.FORM_RAW;
        if (!fits) {
            throw damaged();
        }
        next = record + length;
        return true;
    }

    private KeptlogException damaged() {
        return new KeptlogException(
                ErrorCode.PARTITION_DAMAGED, "The record of offset " + offset() + " does not fit its frame.");
    }

    public long offset() {
        return run.firstOffset() + index;
    }

    /** Append time, microseconds since the epoch. */
    public long timestampMicros() {
        return run.appendTimeMicros();
    }

    /** Time of origin, microseconds since the epoch. */
    public long originTimestampMicros() {
        return records.get(RecordLayout.U64, record + RecordLayout.ORIGIN_TIMESTAMP);
    }

    public long idHigh() {
        return records.get(RecordLayout.U64, record + RecordLayout.ID_HIGH);
    }

    public long idLow() {
        return records.get(RecordLayout.U64, record + RecordLayout.ID_LOW);
    }

    /** The record's CRC32C as it is stored. */
    public int crc() {
        return records.get(RecordLayout.U32, record + RecordLayout.CRC);
    }

    /** Whether the stored checksum is that of the record's bytes. */
    public boolean crcMatches() {
        var actual = new CRC32C();
        actual.update(records.asSlice(record + RecordLayout.ID_LOW, next - record - RecordLayout.ID_LOW)
                .asByteBuffer());
        return (int) actual.getValue() == crc();
    }

    /** The memory that the positions below point into. */
    public MemorySegment records() {
        return records;
    }

    /** One of RecordLayout's FORM_ constants. */
    public int headersForm() {
        return headersForm;
    }

    public long headersPosition() {
        return record + RecordLayout.HEADER_BYTES;
    }

    public int headersLength() {
        return headersLength;
    }

    public long payloadPosition() {
        return record + RecordLayout.HEADER_BYTES + headersLength;
    }

    public int payloadLength() {
        return payloadLength;
    }
}
