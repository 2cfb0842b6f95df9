// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Partitioning;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The octet-stream and ndjson forms of a produce body, and their headers. */
class RawProduceTest {
    private static final int BODY_MAX_BYTES = 2_000_000;

    private final ProduceCodec codec = new ProduceCodec(BODY_MAX_BYTES, new BufferPool(), () -> Instant.EPOCH);
    private final List<Integer> batchLines = new ArrayList<>();
    private final List<Integer> batchBytes = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    private void take(MessageBatch batch) {
        batchLines.add(batch.count());
        batchBytes.add(batch.bodyLength());
        for (StoredMessage message : StoredMessage.of(batch)) {
            lines.add(new String(HexFormat.of().parseHex(message.payloadHex()), UTF_8));
        }
    }

    private long readLines(String body) {
        byte[] bytes = body.getBytes(UTF_8);
        return codec.readNdjson(new ByteArrayInputStream(bytes), bytes.length, this::take);
    }

    private KeptlogException refused(Runnable work) {
        try {
            work.run();
        } catch (KeptlogException e) {
            return e;
        }
        throw new AssertionError("taken");
    }

    // --- octet-stream ---

    @Test
    void anOctetStreamIsOneMessageByteForByte() {
        byte[] payload = new byte[BODY_MAX_BYTES];
        new Random(1).nextBytes(payload);
        for (int length : new int[] {1, 256, BODY_MAX_BYTES}) {
            var in = new ByteArrayInputStream(payload, 0, length);
            try (ProduceBody body = codec.readOctetStream(in, length, Partitioning.BALANCED, null)) {
                StoredMessage message = StoredMessage.of(body.batch()).getFirst();
                assertThat(body.batch().count()).isEqualTo(1);
                assertThat(message.payloadHex()).isEqualTo(HexFormat.of().formatHex(payload, 0, length));
                assertThat(message.id()).isNotEqualTo(BigInteger.ZERO);
                assertThat(body.partitioning()).isEqualTo(Partitioning.BALANCED);
            }
        }
    }

    @Test
    void anOctetStreamTakesItsIdFromTheHeader() {
        var in = new ByteArrayInputStream(new byte[] {1});
        String id = "340282366920938463463374607431768211455";
        try (ProduceBody body = codec.readOctetStream(in, -1, Partitioning.BALANCED, id)) {
            assertThat(StoredMessage.of(body.batch()).getFirst().id()).isEqualTo(new BigInteger(id));
        }
        KeptlogException e = refused(
                () -> codec.readOctetStream(in, -1, Partitioning.BALANCED, "x").close());
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COMMAND);
        assertThat(e.field()).isEqualTo("Keptlog-Message-Id");
    }

    @Test
    void anOctetStreamThatIsEmptyTooLargeOrCutIsRefused() {
        assertThat(octetRefused(0, 0)).isEqualTo(ErrorCode.EMPTY_MESSAGE_PAYLOAD);
        assertThat(octetRefused(BODY_MAX_BYTES + 1, -1)).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(octetRefused(BODY_MAX_BYTES + 1, BODY_MAX_BYTES + 1)).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(octetRefused(10, 11)).isEqualTo(ErrorCode.INVALID_FORMAT);
    }

    private ErrorCode octetRefused(int length, long declared) {
        var in = new ByteArrayInputStream(new byte[length]);
        return refused(() -> codec.readOctetStream(in, declared, Partitioning.BALANCED, null)
                        .close())
                .code();
    }

    // --- headers ---

    @Test
    void headersChooseThePartition() {
        assertThat(ProduceCodec.partitioning(null, null)).isEqualTo(Partitioning.BALANCED);
        assertThat(ProduceCodec.partitioning(null, "4294967295")).isEqualTo(new Partitioning.PartitionId(4294967295L));
        assertThat(key("abc")).isEqualTo("abc".getBytes(UTF_8));
        // A container decodes header bytes as ISO 8859-1: the key is what the client sent.
        assertThat(key("\u00c3\u00a9")).isEqualTo("\u00e9".getBytes(UTF_8));
        assertThat(key("k".repeat(255))).hasSize(255);
    }

    private static byte[] key(String text) {
        return ((Partitioning.MessagesKey) ProduceCodec.partitioning(text, null)).key();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "4294967296", "99999999999", "x", "1.0", " 1", "\u0661"})
    void aPartitionHeaderThatIsNoNumberIsRefused(String text) {
        KeptlogException e = refused(() -> ProduceCodec.partitioning(null, text));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COMMAND);
        assertThat(e.field()).isEqualTo("Keptlog-Partition");
    }

    @Test
    void aKeyOfTheWrongLengthOrBothHeadersAreRefused() {
        assertThat(refused(() -> ProduceCodec.partitioning("", null)).code())
                .isEqualTo(ErrorCode.INVALID_KEY_VALUE_LENGTH);
        assertThat(refused(() -> ProduceCodec.partitioning("k".repeat(256), null))
                        .code())
                .isEqualTo(ErrorCode.INVALID_KEY_VALUE_LENGTH);
        assertThat(refused(() -> ProduceCodec.partitioning("k", "1")).code()).isEqualTo(ErrorCode.INVALID_COMMAND);
    }

    // --- ndjson ---

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'a|b|'; 'a|b'",
                "'a|b'; 'a|b'",
                "'|'; ''",
                "'||'; '|'",
                "'a||b'; 'a||b'",
                "'a\r|b\r'; 'a\r|b\r'",
                "'{\"x\":1}|'; '{\"x\":1}'",
                "'\uD83D\uDE00|'; '\uD83D\uDE00'"
            })
    void linesAreMessagesVerbatim(String body, String expected) {
        long stored = readLines(body.replace('|', '\n'));
        assertThat(lines).containsExactly(expected.split("\\|", -1));
        assertThat(stored).isEqualTo(lines.size());
    }

    @Test
    void aBodyWithoutAnyLineIsRefused() {
        KeptlogException e = refused(() -> readLines(""));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_MESSAGES_COUNT);
        assertThat(e.details()).containsEntry("stored_lines", 0L);
    }

    @Test
    void batchesEndAtAThousandLines() {
        assertThat(readLines("x\n".repeat(2500))).isEqualTo(2500);
        assertThat(batchLines).containsExactly(1000, 1000, 500);
        batchLines.clear();
        assertThat(readLines("\n".repeat(1000))).isEqualTo(1000);
        assertThat(batchLines).containsExactly(1000);
    }

    @Test
    void batchesEndAtOneMebibyteAndALongerLineIsABatchOfItsOwn() {
        String hundred = "y".repeat(100_000) + "\n";
        String long1 = "z".repeat(1_500_000) + "\n";
        readLines(hundred.repeat(25) + long1 + "a\nb\n" + long1 + long1 + "c");
        assertThat(batchLines).containsExactly(10, 10, 5, 1, 2, 1, 1, 1);
        for (int i = 0; i < batchLines.size(); i++) {
            assertThat(batchLines.get(i) == 1 || batchBytes.get(i) <= Limits.NDJSON_BATCH_BYTES)
                    .isTrue();
        }
        assertThat(lines).hasSize(31).element(25).isEqualTo(long1.strip());
    }

    @Test
    void randomFilesComeThroughInAnyPieces() throws IOException {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int round = 0; round < 8; round++) {
            var file = new ByteArrayOutputStream();
            for (int i = random.nextInt(3000); i >= 0; i--) {
                byte[] line = new byte[random.nextInt(50) == 0 ? random.nextInt(200_000) : random.nextInt(40)];
                for (int p = 0; p < line.length; p++) {
                    line[p] = (byte) (random.nextInt(20) == 0 ? '\n' : random.nextInt(256));
                }
                file.write(line);
                file.write('\n');
            }
            byte[] bytes = file.toByteArray();
            var back = new ByteArrayOutputStream();
            codec.readNdjson(pieces(bytes, random), -1, batch -> {
                for (StoredMessage message : StoredMessage.of(batch)) {
                    back.writeBytes(HexFormat.of().parseHex(message.payloadHex()));
                    back.write('\n');
                }
            });
            assertThat(back.toByteArray()).as("seed %s", seed).isEqualTo(bytes);
        }
    }

    private static InputStream pieces(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1 + random.nextInt(100_000)));
            }
        };
    }

    @Test
    void anErrorSaysHowManyLinesAreStored() {
        KeptlogException tooLong = refused(() -> readLines("x\n".repeat(1500) + "y".repeat(BODY_MAX_BYTES + 1) + "\n"));
        assertThat(tooLong.code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(tooLong.field()).isEqualTo("lines[1500]");
        assertThat(tooLong.details()).containsEntry("stored_lines", (long) lines.size());
        assertThat(lines.size()).isBetween(1000, 1500);
    }

    @Test
    void aLineAtTheLimitIsTaken() {
        assertThat(readLines("y".repeat(BODY_MAX_BYTES) + "\n" + "z".repeat(BODY_MAX_BYTES)))
                .isEqualTo(2);
    }

    @Test
    void aLineThatWasCutByTheEndOfTheBodyIsNotStored() {
        byte[] bytes = ("x\n".repeat(1000) + "y\nhalf a li").getBytes(UTF_8);
        KeptlogException e =
                refused(() -> codec.readNdjson(new ByteArrayInputStream(bytes), bytes.length + 10L, this::take));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FORMAT);
        assertThat(e.details()).containsEntry("stored_lines", 1000L);
        InputStream failing = new SequenceInputStream(new ByteArrayInputStream(bytes), failing());
        lines.clear();
        e = refused(() -> codec.readNdjson(failing, -1, this::take));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FORMAT);
        assertThat(e.details()).containsEntry("stored_lines", 1000L);
        assertThat(lines).hasSize(1000);
    }

    private static InputStream failing() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("reset");
            }

            @Override
            public int read(byte @Nullable [] into, int offset, int length) throws IOException {
                throw new IOException("reset");
            }
        };
    }

    @Test
    void theSinksErrorCarriesTheStoredLinesAndItsOwnDetails() {
        var seen = new ArrayList<MessageBatch>();
        KeptlogException e = refused(() ->
                codec.readNdjson(new ByteArrayInputStream("x\n".repeat(5000).getBytes(UTF_8)), -1, batch -> {
                    if (seen.size() == 2) {
                        throw KeptlogException.retryable(ErrorCode.NO_SPACE, "full", 3);
                    }
                    seen.add(batch);
                }));
        assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(e.retryAfterSeconds()).isEqualTo(3);
        assertThat(e.details()).containsEntry("stored_lines", 2000L);
    }
}
