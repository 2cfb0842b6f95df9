// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/** A message read back from its stored form, for tests to compare. */
public record StoredMessage(BigInteger id, int headersForm, String headersHex, String payloadHex) {

    public static BigInteger u128(long high, long low) {
        return new BigInteger(Long.toUnsignedString(high)).shiftLeft(64).or(new BigInteger(Long.toUnsignedString(low)));
    }

    public static RecordRun runOf(MessageBatch batch, long firstOffset, long appendTimeMicros) {
        var records = MemorySegment.ofArray(batch.bytes()).asSlice(batch.bodyOffset(), batch.bodyLength());
        return new RecordRun(records, firstOffset, batch.count(), appendTimeMicros, 7);
    }

    public static Slice sliceOf(RecordRun... runs) {
        int count = 0;
        for (RecordRun run : runs) {
            count += run.count();
        }
        long first = runs.length == 0 ? 0 : runs[0].firstOffset();
        return new Slice(List.of(runs), first, count, first + count, 7, null, () -> {});
    }

    /** Reads a batch back; its checksums must hold. */
    public static List<StoredMessage> of(MessageBatch batch) {
        var body = new CRC32C();
        body.update(batch.bytes(), batch.bodyOffset(), batch.bodyLength());
        assertThat((int) body.getValue()).isEqualTo(batch.bodyCrc());
        var reader = new RecordReader(runOf(batch, 0, 0));
        var messages = new ArrayList<StoredMessage>();
        while (reader.next()) {
            assertThat(reader.crcMatches()).isTrue();
            messages.add(new StoredMessage(
                    u128(reader.idHigh(), reader.idLow()),
                    reader.headersForm(),
                    hex(reader, reader.headersPosition(), reader.headersLength()),
                    hex(reader, reader.payloadPosition(), reader.payloadLength())));
        }
        return messages;
    }

    private static String hex(RecordReader reader, long position, int length) {
        return HexFormat.of()
                .formatHex(reader.records().asSlice(position, length).toArray(ValueLayout.JAVA_BYTE));
    }
}
