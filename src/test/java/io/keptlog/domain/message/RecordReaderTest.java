// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.codec.StoredMessage;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
    private static byte[] threeRecords() {
        try (var builder = new BatchBuilder(new BufferPool(), 0)) {
            for (int i = 1; i <= 3; i++) {
                builder.begin();
                builder.headerPart(HeaderKind.STRING, new byte[] {'k'}, 0, 1);
                builder.headerPart(HeaderKind.UINT8, new byte[] {1}, 0, 1);
                builder.payload(new byte[i * 10], 0, i * 10);
                builder.end(i, -i, 1000 + i);
            }
            MessageBatch batch = builder.build();
            return java.util.Arrays.copyOfRange(
                    batch.bytes(), batch.bodyOffset(), batch.bodyOffset() + batch.bodyLength());
        }
    }

    private static RecordReader readerOf(byte[] records) {
        return new RecordReader(new RecordRun(MemorySegment.ofArray(records), 40, 3, 5000, 1));
    }

    @Test
    void eachMessageShowsItsOwnValues() {
        RecordReader reader = readerOf(threeRecords());
        for (int i = 1; i <= 3; i++) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.offset()).isEqualTo(39 + i);
            assertThat(reader.timestampMicros()).isEqualTo(5000);
            assertThat(reader.originTimestampMicros()).isEqualTo(1000 + i);
            assertThat(StoredMessage.u128(reader.idHigh(), reader.idLow())).isEqualTo(StoredMessage.u128(i, -i));
            assertThat(reader.headersForm()).isEqualTo(RecordLayout.FORM_LIST);
            assertThat(reader.headersLength()).isEqualTo(12);
            assertThat(reader.payloadLength()).isEqualTo(i * 10);
            assertThat(reader.crcMatches()).isTrue();
        }
        assertThat(reader.next()).isFalse();
    }

    @Test
    void aFlippedBitIsSeenByTheChecksumOrByTheBounds() {
        byte[] records = threeRecords();
        for (int bit = 0; bit < records.length * 8; bit++) {
            records[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(damageIsSeen(records)).as("bit %s", bit).isTrue();
            records[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    private static boolean damageIsSeen(byte[] records) {
        RecordReader reader = readerOf(records);
        boolean seen = false;
        try {
            while (reader.next()) {
                seen |= !reader.crcMatches();
            }
        } catch (KeptlogException e) {
            return e.code() == ErrorCode.PARTITION_DAMAGED;
        }
        return seen;
    }

    @Test
    void corruptLengthsAreRefusedAndNothingOutsideIsRead() {
        byte[] records = threeRecords();
        int[] fields = {RecordLayout.LENGTH, RecordLayout.PAYLOAD_LENGTH, RecordLayout.HEADERS_LENGTH};
        int[] values = {-1, 0, 43, Integer.MAX_VALUE, Integer.MIN_VALUE, records.length + 1};
        for (int field : fields) {
            for (int value : values) {
                byte[] broken = records.clone();
                LittleEndian.putInt(broken, field, value);
                assertThatThrownBy(() -> readerOf(broken).next())
                        .as("field %s = %s", field, value)
                        .isInstanceOf(KeptlogException.class)
                        .hasMessageContaining("40");
            }
        }
    }

    @Test
    void garbageAndCutRunsNeverReadOutside() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        byte[] whole = threeRecords();
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = java.util.Arrays.copyOf(whole, random.nextInt(whole.length));
            for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            RecordReader reader = readerOf(bytes);
            try {
                while (reader.next()) {
                    assertThat(reader.payloadPosition() + reader.payloadLength())
                            .as("seed %s", seed)
                            .isLessThanOrEqualTo(bytes.length);
                }
                throw new AssertionError("a cut run was read to its end, seed " + seed);
            } catch (KeptlogException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_DAMAGED);
            }
        }
    }
}
