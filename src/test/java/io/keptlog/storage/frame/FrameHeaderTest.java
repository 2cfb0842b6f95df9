// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordLayout;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The frame's header comes back as it was written, and only where it was written. */
class FrameHeaderTest {
    private static FrameHeader header(Random random) {
        int count = 1 + random.nextInt(1000);
        long base = random.nextLong() >>> (1 + random.nextInt(50));
        return new FrameHeader(
                count * RecordLayout.HEADER_BYTES + random.nextInt(1_000_000),
                random.nextInt(),
                base,
                random.nextLong() >>> 1,
                count,
                random.nextLong(),
                random.nextLong() >>> 1,
                random.nextInt(),
                base - (base == 0 ? 0 : random.nextLong(base)),
                random.nextBoolean()
                        ? new ProducerStamp(random.nextLong() | 1, random.nextInt(), random.nextLong())
                        : null);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void comesBackAsItWasWritten(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            FrameHeader header = header(random);
            long position = random.nextLong() >>> 1;
            int at = 8 * random.nextInt(4);
            MemorySegment bytes = MemorySegment.ofArray(new byte[at + FrameLayout.HEADER_BYTES]);
            int crc = header.write(bytes, at, position);
            assertThat(FrameHeader.read(bytes, at, position, header.incarnation()))
                    .as("seed %d", seed)
                    .isEqualTo(header);
            assertThat(FrameHeader.storedCrc(bytes, at)).isEqualTo(crc);
            assertThat(FrameHeader.read(bytes, at, position + 8, header.incarnation()))
                    .isNull();
            assertThat(FrameHeader.read(bytes, at, position, header.incarnation() + 1))
                    .isNull();
        }
    }

    @Test
    void anyWrongBitIsSeen() {
        FrameHeader header = header(new Random(9));
        byte[] bytes = new byte[FrameLayout.HEADER_BYTES];
        header.write(MemorySegment.ofArray(bytes), 0, 4096);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(FrameHeader.read(MemorySegment.ofArray(bytes), 0, 4096, header.incarnation()))
                    .as("bit %d", bit)
                    .isNull();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void zerosAreNoHeader() {
        assertThat(FrameHeader.read(MemorySegment.ofArray(new byte[96]), 0, 0, 0))
                .isNull();
    }

    @Test
    void theBytesLieWhereTheFormatSays() {
        var header = new FrameHeader(100, 0x01020304, 7, 8, 2, 9, 10, 11, 5, new ProducerStamp(12, 13, 14));
        MemorySegment bytes = MemorySegment.ofArray(new byte[96]);
        header.write(bytes, 0, 4096);
        assertThat(new String(bytes.asSlice(0, 4).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)))
                .isEqualTo("KLF1");
        assertThat(bytes.get(FrameLayout.U32, 8)).isEqualTo(200);
        assertThat(bytes.get(FrameLayout.U32, 12)).isEqualTo(0x01020304);
        assertThat(bytes.get(FrameLayout.U64, 16)).isEqualTo(7);
        assertThat(bytes.get(FrameLayout.U64, 24)).isEqualTo(8);
        assertThat(bytes.get(FrameLayout.U32, 32)).isEqualTo(2);
        assertThat(bytes.get(FrameLayout.U32, 36)).isEqualTo(1);
        assertThat(bytes.get(FrameLayout.U64, 40)).isEqualTo(9);
        assertThat(bytes.get(FrameLayout.U64, 48)).isEqualTo(10);
        assertThat(bytes.get(FrameLayout.U32, 56)).isEqualTo(11);
        assertThat(bytes.get(FrameLayout.U32, 60)).isEqualTo(100);
        assertThat(bytes.get(FrameLayout.U64, 64)).isEqualTo(5);
        assertThat(bytes.get(FrameLayout.U64, 72)).isEqualTo(12);
        assertThat(bytes.get(FrameLayout.U32, 80)).isEqualTo(13);
        assertThat(bytes.get(FrameLayout.U32, 84)).isZero();
        assertThat(bytes.get(FrameLayout.U64, 88)).isEqualTo(14);
    }

    @Test
    void aChainTakesOnlyWhatFollows() {
        var chain = new FrameChain(7, 11, 10, 8);
        var next = new FrameHeader(100, 0, 7, 9, 2, 1, 10, 11, 5, null);
        assertThat(chain.fit(next)).isEqualTo(FrameChain.Fit.FOLLOWS);
        assertThat(new FrameChain(7, 12, 10, 8).fit(next)).isEqualTo(FrameChain.Fit.NOT_CHAINED);
        assertThat(new FrameChain(6, 11, 10, 8).fit(next)).isEqualTo(FrameChain.Fit.OFFSET_GAP);
        assertThat(new FrameChain(7, 11, 11, 8).fit(next)).isEqualTo(FrameChain.Fit.EPOCH_WENT_BACK);
        assertThat(chain.after(next, 99)).isEqualTo(new FrameChain(9, 99, 10, 9));
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> new FrameHeader(43, 0, 0, 0, 1, 0, 0, 0, 0, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FrameHeader(100, 0, 5, 0, 1, 0, 0, 0, 6, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void framesAreMultiplesOfEight() {
        for (int body = 44; body < 200; body++) {
            assertThat(FrameLayout.frameLength(body) % 8).isZero();
            assertThat(FrameLayout.frameLength(body) - 96 - body).isBetween(0, 7);
        }
    }
}
