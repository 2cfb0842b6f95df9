// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.http.codec.StoredMessage;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchBuilderTest {
    private final BufferPool pool = new BufferPool();

    private static ErrorCode codeOf(Runnable work) {
        try {
            work.run();
        } catch (KeptlogException e) {
            return e.code();
        }
        throw new AssertionError("nothing was refused");
    }

    @Test
    void whatIsWrittenIsReadBackWhateverItsSize() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            try (var builder = new BatchBuilder(pool, random.nextInt(100))) {
                List<StoredMessage> expected = new ArrayList<>();
                int count = 1 + random.nextInt(50);
                for (int i = 0; i < count; i++) {
                    expected.add(writeRandom(builder, random));
                }
                MessageBatch batch = builder.build();
                assertThat(batch.bodyOffset()).isEqualTo(BatchBuilder.HEAD_ROOM_BYTES);
                assertThat(StoredMessage.of(batch)).as("seed %s", seed).isEqualTo(expected);
                for (int i = 0; i < BatchBuilder.TAIL_ROOM_BYTES; i++) {
                    assertThat(batch.bytes()[batch.bodyOffset() + batch.bodyLength() + i])
                            .as("padding")
                            .isZero();
                }
            }
        }
    }

    private static StoredMessage writeRandom(BatchBuilder builder, Random random) {
        byte[] payload = new byte[random.nextInt(10) == 0 ? random.nextInt(100_000) : random.nextInt(300)];
        random.nextBytes(payload);
        byte[] headers = new byte[random.nextInt(3) == 0 ? 1 + random.nextInt(1000) : 0];
        random.nextBytes(headers);
        long high = random.nextLong();
        long low = random.nextLong();
        builder.begin();
        if (headers.length > 0) {
            builder.rawHeaders(headers, 0, headers.length);
        }
        int half = payload.length / 2;
        builder.payload(payload, 0, half);
        builder.payload(payload, half, payload.length - half);
        builder.end(high, low, random.nextLong());
        BigInteger id = StoredMessage.u128(high, low);
        HexFormat hex = HexFormat.of();
        return new StoredMessage(id, headers.length > 0 ? 2 : 0, hex.formatHex(headers), hex.formatHex(payload));
    }

    @Test
    void aBatchNeedsAMessage() {
        try (var builder = new BatchBuilder(pool, 0)) {
            assertThat(codeOf(builder::build)).isEqualTo(ErrorCode.INVALID_MESSAGES_COUNT);
            builder.begin();
            assertThat(codeOf(builder::build)).isEqualTo(ErrorCode.INVALID_MESSAGES_COUNT);
        }
    }

    @Test
    void moreMessagesThanTheLimitAreRefused() {
        try (var builder = new BatchBuilder(pool, 0)) {
            for (int i = 0; i < Limits.MESSAGES_PER_BATCH_MAX; i++) {
                builder.begin();
                builder.end(0, 1, 0);
            }
            assertThat(codeOf(builder::begin)).isEqualTo(ErrorCode.TOO_MANY_MESSAGES);
        }
    }

    @Test
    void aPayloadAndHeadersAtTheirLimitAreTakenAndOneByteMoreIsRefused() {
        byte[] big = new byte[Limits.PAYLOAD_MAX_BYTES + 1];
        try (var builder = new BatchBuilder(pool, 0)) {
            builder.begin();
            builder.rawHeaders(big, 0, Limits.USER_HEADERS_MAX_BYTES);
            builder.payload(big, 0, Limits.PAYLOAD_MAX_BYTES);
            assertThat(codeOf(() -> builder.payload(big, 0, 1))).isEqualTo(ErrorCode.TOO_BIG_MESSAGE_PAYLOAD);
        }
        try (var builder = new BatchBuilder(pool, 0)) {
            builder.begin();
            assertThat(codeOf(() -> builder.rawHeaders(big, 0, Limits.USER_HEADERS_MAX_BYTES + 1)))
                    .isEqualTo(ErrorCode.TOO_BIG_USER_HEADERS);
        }
    }

    @Test
    void resetKeepsTheMessageThatIsBegun() {
        try (var builder = new BatchBuilder(pool, 0)) {
            builder.begin();
            builder.payload(new byte[] {1, 2, 3}, 0, 3);
            builder.end(0, 1, 0);
            builder.begin();
            builder.payload(new byte[] {4, 5}, 0, 2);
            MessageBatch first = builder.build();
            assertThat(StoredMessage.of(first))
                    .extracting(StoredMessage::payloadHex)
                    .containsExactly("010203");
            first.bytes()[first.bodyOffset() + first.bodyLength()] = 99; // a store may pad in place
            builder.reset();
            assertThat(builder.count()).isZero();
            assertThat(builder.bodyLength()).isZero();
            builder.payload(new byte[] {6}, 0, 1);
            builder.end(0, 2, 0);
            assertThat(StoredMessage.of(builder.build()))
                    .containsExactly(new StoredMessage(BigInteger.TWO, 0, "", "040506"));
        }
    }

    @Test
    void aClosedBuilderTakesNothingMore() {
        var builder = new BatchBuilder(pool, 0);
        builder.close();
        builder.close();
        assertThatThrownBy(builder::begin).isInstanceOf(IllegalStateException.class);
    }
}
