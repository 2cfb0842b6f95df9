// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.HeaderKind;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PollWriterTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final BufferPool pool = new BufferPool();
    private final PollJsonWriter writer = new PollJsonWriter(pool);
    private final RawPollWriter rawWriter = new RawPollWriter(pool);
    private final ProduceCodec codec = new ProduceCodec(8_000_000, pool, () -> Instant.ofEpochSecond(1_700_000_000));

    private String write(Slice slice, PollReply reply) {
        var out = new ByteArrayOutputStream();
        try {
            writer.write(slice, reply, out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(UTF_8);
    }

    private RecordRun run(BatchBuilder builder, long firstOffset, long time) {
        return StoredMessage.runOf(builder.build(), firstOffset, time);
    }

    private static void message(BatchBuilder builder, long idHigh, long idLow, byte[] payload) {
        builder.begin();
        builder.payload(payload, 0, payload.length);
        builder.end(idHigh, idLow, 5);
    }

    @Test
    void anEmptyReplyIsComplete() {
        assertThat(write(StoredMessage.sliceOf(), new PollReply(3, 0, null, 1)))
                .isEqualTo("{\"partition_id\":3,\"current_offset\":0,\"count\":0,\"messages\":[],\"epoch\":1}");
    }

    @Test
    void aGapIsToldOnlyWhenThereIsOne() {
        var gap = new Gap(0, 7, Gap.Reason.RETENTION);
        assertThat(write(StoredMessage.sliceOf(), new PollReply(0, 9, gap, 2)))
                .isEqualTo("{\"partition_id\":0,\"current_offset\":9,\"count\":0,\"messages\":[],\"epoch\":2,"
                        + "\"gap\":{\"from_offset\":0,\"to_offset\":7,\"reason\":\"retention\"}}");
    }

    @Test
    void aMessageHasEveryMemberThatClientsNeedInOrder() {
        try (var builder = new BatchBuilder(pool, 0)) {
            message(builder, 0, 9, "abc".getBytes(UTF_8));
            RecordRun run = run(builder, 41, 1_700_000_000_000_001L);
            var reader = new io.keptlog.domain.message.RecordReader(run);
            assertThat(reader.next()).isTrue();
            long checksum = Integer.toUnsignedLong(reader.crc());
            assertThat(write(StoredMessage.sliceOf(run), new PollReply(0, 41, null, 7)))
                    .isEqualTo(
                            "{\"partition_id\":0,\"current_offset\":41,\"count\":1,\"messages\":[{\"header\":{\"checksum\":"
                                    + checksum
                                    + ",\"id\":9,\"offset\":41,\"timestamp\":1700000000000001,\"origin_timestamp\":5,"
                                    + "\"user_headers_length\":0,\"payload_length\":3,\"reserved\":0},\"payload\":\"YWJj\","
                                    + "\"user_headers\":[]}],\"epoch\":7}");
        }
    }

    @Test
    void offsetsAndIdsAboveTwoToThe53AreBareExactNumbers() {
        long[] values = {0, 1, 9, 10, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE, -1};
        for (long value : values) {
            BigInteger unsigned = new BigInteger(Long.toUnsignedString(value));
            try (var builder = new BatchBuilder(pool, 0)) {
                message(builder, value, value, new byte[] {1});
                builder.begin();
                builder.payload(new byte[] {1}, 0, 1);
                builder.end(-1, -1, value);
                RecordRun run = run(builder, value, value);
                JsonNode reply = JSON.readTree(write(
                        new Slice(List.of(run), value, 2, value, 1, null, () -> {}),
                        new PollReply(0, value, null, value)));
                JsonNode header = reply.at("/messages/0/header");
                assertThat(reply.path("current_offset").bigIntegerValue()).isEqualTo(unsigned);
                assertThat(reply.path("epoch").bigIntegerValue()).isEqualTo(unsigned);
                assertThat(header.path("offset").bigIntegerValue()).isEqualTo(unsigned);
                assertThat(header.path("timestamp").bigIntegerValue()).isEqualTo(unsigned);
                assertThat(header.path("id").bigIntegerValue()).isEqualTo(StoredMessage.u128(value, value));
                assertThat(reply.at("/messages/1/header/origin_timestamp").bigIntegerValue())
                        .isEqualTo(unsigned);
                assertThat(reply.at("/messages/1/header/id").bigIntegerValue())
                        .isEqualTo(BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE));
            }
        }
    }

    @Test
    void everyNumberIsWrittenAsItsDecimal() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        byte[] digits = new byte[64];
        for (int i = 0; i < 200_000; i++) {
            long high = random.nextBoolean() ? 0 : random.nextLong() >>> random.nextInt(64);
            long low = random.nextLong() >>> random.nextInt(64);
            int end = Decimal.put(high, low, digits, 3);
            assertThat(new String(digits, 3, end - 3, UTF_8))
                    .as("seed %s", seed)
                    .isEqualTo(StoredMessage.u128(high, low).toString());
        }
        for (int exponent = 0; exponent < 39; exponent++) {
            for (int delta = -1; delta <= 1; delta++) {
                BigInteger value = BigInteger.TEN.pow(exponent).add(BigInteger.valueOf(delta));
                int end = Decimal.put(value.shiftRight(64).longValue(), value.longValue(), digits, 0);
                assertThat(new String(digits, 0, end, UTF_8)).isEqualTo(value.toString());
            }
        }
    }

    @Test
    void whatWasSentComesBackInTheFormItWasSent() {
        var headers = new StringBuilder("[");
        for (HeaderKind kind : HeaderKind.values()) {
            int length = kind.takes(1) ? 1 : kind.takes(2) ? 2 : kind.takes(4) ? 4 : kind.takes(8) ? 8 : 16;
            String part = "{\"kind\":\"" + kind.wireName() + "\",\"value\":\""
                    + Base64.getEncoder().encodeToString(new byte[length]) + "\"}";
            headers.append(headers.length() > 1 ? "," : "")
                    .append("{\"key\":{\"kind\":\"string\",\"value\":\"a2V5\"},\"value\":")
                    .append(part)
                    .append("}");
        }
        headers.append("]");
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        String payload = Base64.getEncoder().encodeToString(all);
        String body = "{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"},\"messages\":["
                + "{\"id\":\"340282366920938463463374607431768211455\",\"payload\":\"" + payload
                + "\",\"user_headers\":" + headers + "},"
                + "{\"payload\":\"MQ==\",\"user_headers\":\"AQID\"},"
                + "{\"payload\":\"AA\",\"user_headers\":null}]}";
        try (ProduceBody taken = codec.readJson(new ByteArrayInputStream(body.getBytes(UTF_8)), -1)) {
            RecordRun run = StoredMessage.runOf(taken.batch(), 0, 1);
            String text = write(StoredMessage.sliceOf(run), new PollReply(0, 2, null, 1));
            assertThat(text).contains("\"user_headers\":" + headers + "}");
            JsonNode messages = JSON.readTree(text).path("messages");
            assertThat(messages.at("/0/header/id").bigIntegerValue().bitLength())
                    .isEqualTo(128);
            assertThat(messages.at("/0/payload").asString()).isEqualTo(payload);
            assertThat(messages.at("/0/header/payload_length").asInt()).isEqualTo(256);
            assertThat(messages.at("/1/user_headers").asString()).isEqualTo("AQID");
            assertThat(messages.at("/1/header/user_headers_length").asInt()).isEqualTo(3);
            assertThat(messages.at("/2/payload").asString()).isEqualTo("AA==");
            assertThat(messages.at("/2/user_headers").isEmpty()).isTrue();
        }
    }

    @Test
    void payloadsOfEverySizeComeBackFromMemoryOutsideTheHeapInSeveralRuns() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        int[] sizes = {0, 1, 2, 3, 24_575, 24_576, 24_577, 65_536, 200_000, 3_000_000};
        try (var arena = Arena.ofConfined();
                var builder = new BatchBuilder(pool, 0)) {
            var payloads = new byte[sizes.length * 2][];
            var runs = new RecordRun[2];
            for (int r = 0; r < 2; r++) {
                builder.reset();
                for (int i = 0; i < sizes.length; i++) {
                    byte[] payload = new byte[sizes[i]];
                    random.nextBytes(payload);
                    payloads[r * sizes.length + i] = payload;
                    message(builder, 0, 1, payload);
                }
                RecordRun heap = run(builder, r * (long) sizes.length, 1);
                MemorySegment outside = arena.allocate(heap.records().byteSize());
                outside.copyFrom(heap.records());
                runs[r] = new RecordRun(outside, heap.firstOffset(), heap.count(), 1, 1);
            }
            Slice slice = StoredMessage.sliceOf(runs);
            JsonNode messages =
                    JSON.readTree(write(slice, new PollReply(0, 0, null, 1))).path("messages");
            assertThat(messages.size()).isEqualTo(payloads.length);
            var raw = new ByteArrayOutputStream();
            for (int i = 0; i < payloads.length; i++) {
                assertThat(Base64.getDecoder()
                                .decode(messages.get(i).path("payload").asString()))
                        .as("seed %s", seed)
                        .isEqualTo(payloads[i]);
                assertThat(messages.get(i).at("/header/offset").asInt()).isEqualTo(i);
                raw.writeBytes(payloads[i]);
                raw.write('\n');
            }
            var out = new ByteArrayOutputStream();
            rawWriter.write(slice, out);
            assertThat(out.toByteArray()).isEqualTo(raw.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void damagedUserHeadersAndRecordsAreToldAndNotInvented() {
        try (var builder = new BatchBuilder(pool, 0)) {
            builder.begin();
            builder.headerPart(HeaderKind.STRING, new byte[] {'k'}, 0, 1);
            builder.payload(new byte[] {1}, 0, 1);
            builder.end(0, 1, 0);
            Slice slice = StoredMessage.sliceOf(run(builder, 8, 1));
            assertDamaged(slice); // a key without a value
            builder.reset();
            message(builder, 0, 1, new byte[] {1});
            RecordRun run = run(builder, 8, 1);
            assertDamaged(StoredMessage.sliceOf(
                    new RecordRun(run.records().asSlice(0, run.records().byteSize() - 1), 8, 1, 1, 1)));
        }
    }

    private void assertDamaged(Slice slice) {
        assertThatThrownBy(() -> writer.write(slice, new PollReply(0, 0, null, 1), OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(KeptlogException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_DAMAGED);
                    assertThat(e.reason()).contains("8");
                });
    }

    @Test
    void aReaderThatGoesAwayIsTheCallersToHandle() {
        try (var builder = new BatchBuilder(pool, 0)) {
            message(builder, 0, 1, new byte[1_000_000]);
            Slice slice = StoredMessage.sliceOf(run(builder, 0, 1));
            var gone = new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw new IOException("gone");
                }
            };
            assertThatThrownBy(() -> writer.write(slice, new PollReply(0, 0, null, 1), gone))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> rawWriter.write(slice, gone)).isInstanceOf(IOException.class);
        }
    }
}
