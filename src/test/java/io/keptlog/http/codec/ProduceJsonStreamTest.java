// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BufferPool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sizes at and over their limits, and streams that come in pieces, end early or stall. */
class ProduceJsonStreamTest extends ProduceJsonFixture {
    @Test
    void aMillionMessagesIsTheMost() {
        var large = new ProduceCodec(64_000_000, new BufferPool(), () -> NOW);
        String message = "{\"payload\":\"YQ\"},";
        byte[] most = batch(message.repeat(999_999) + "{\"payload\":\"YQ\"}").getBytes(UTF_8);
        try (ProduceBody taken = large.readJson(new ByteArrayInputStream(most), -1)) {
            assertThat(taken.batch().count()).isEqualTo(1_000_000);
        }
        byte[] more = batch(message.repeat(1_000_000) + "{\"payload\":\"YQ\"}").getBytes(UTF_8);
        try (ProduceBody taken = large.readJson(new ByteArrayInputStream(more), -1)) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_MESSAGES);
        }
    }

    @Test
    void aPayloadOverSixtyFourMillionBytesIsRefused() {
        var large = new ProduceCodec(100_000_000, new BufferPool(), () -> NOW);
        byte[] body =
                batch("{\"payload\":\"" + "AAAA".repeat(21_333_334) + "\"}").getBytes(ISO_8859_1);
        try (ProduceBody taken = large.readJson(new ByteArrayInputStream(body), -1)) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.TOO_BIG_MESSAGE_PAYLOAD);
            assertThat(e.field()).isEqualTo("messages[0].payload");
        }
    }

    /** Hands out the body in small pieces, then ends, or fails. */
    private static InputStream pieces(byte[] body, int size, @Nullable IOException failure) {
        return new InputStream() {
            private int at;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (at == body.length) {
                    if (failure != null) {
                        throw failure;
                    }
                    return -1;
                }
                int count = Math.min(Math.min(size, length), body.length - at);
                System.arraycopy(body, at, into, offset, count);
                at += count;
                return count;
            }
        };
    }

    @Test
    void theBodyMayComeInAnyPieces() {
        byte[] body = batch(String.join(",", java.util.Collections.nCopies(3000, "{\"payload\":\"YWJj\"}")))
                .getBytes(UTF_8);
        for (int size : new int[] {1, 7, 4096, 1_000_000}) {
            for (long declared : new long[] {-1, body.length}) {
                try (ProduceBody taken = codec.readJson(pieces(body, size, null), declared)) {
                    assertThat(taken.batch().count()).isEqualTo(3000);
                }
            }
        }
    }

    @Test
    void aBodyOverTheMaximumIsRefusedDeclaredOrCounted() {
        String good = batch("{\"payload\":\"YQ==\"}");
        byte[] most = (good + " ".repeat(BODY_MAX_BYTES - good.length())).getBytes(UTF_8);
        try (ProduceBody taken = codec.readJson(pieces(most, 65_536, null), -1)) {
            assertThat(taken.batch().count()).isEqualTo(1);
        }
        byte[] more = java.util.Arrays.copyOf(most, BODY_MAX_BYTES + 1);
        streamRefused(pieces(more, 65_536, null), -1, ErrorCode.PAYLOAD_TOO_LARGE);
        streamRefused(
                pieces(new byte[0], 1, new IOException("must not be read")),
                BODY_MAX_BYTES + 1,
                ErrorCode.PAYLOAD_TOO_LARGE);
        streamRefused(pieces(new byte[0], 1, null), Long.MAX_VALUE, ErrorCode.PAYLOAD_TOO_LARGE);
    }

    @Test
    void aBodyThatEndsEarlyOrStallsIsRefused() {
        byte[] body = batch("{\"payload\":\"YQ==\"}").getBytes(UTF_8);
        streamRefused(pieces(body, 10, null), body.length + 1, ErrorCode.INVALID_FORMAT);
        streamRefused(pieces(body, 10, new IOException("reset")), -1, ErrorCode.INVALID_FORMAT);
        streamRefused(
                pieces(body, 10, new IOException(new SocketTimeoutException())),
                body.length,
                ErrorCode.REQUEST_TIMEOUT);
    }

    private void streamRefused(InputStream in, long declared, ErrorCode code) {
        try (ProduceBody taken = codec.readJson(in, declared)) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).as(e.reason()).isEqualTo(code);
        }
    }

    @Test
    void aRefusedBodyLeavesNothingBehindThatGrows() {
        String deep = batch("{\"payload\":\"YQ==\",\"x\":" + "[".repeat(1_900_000) + "}");
        byte[] body = deep.getBytes(UTF_8);
        for (int i = 0; i < 20; i++) {
            refused(body, ErrorCode.INVALID_FORMAT, "messages[0]");
        }
        System.gc();
        long before = usedBytes();
        for (int i = 0; i < 200; i++) {
            refused(body, ErrorCode.INVALID_FORMAT, "messages[0]");
        }
        System.gc();
        assertThat(usedBytes()).isCloseTo(before, within(16L << 20));
    }

    private static long usedBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
