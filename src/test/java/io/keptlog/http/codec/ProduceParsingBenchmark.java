// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the hand-written produce scanner and poll writer are worth on this machine, one thread: bodies of 1000 messages of 256 bytes, the
 * same records built from them by Jackson's streaming parser, and the same reply written by an object mapper. Not a test: run the main
 * method. Each line is the best of several rounds, per second of the thread's CPU time, so that a busy machine disturbs little.
 */
final class ProduceParsingBenchmark {
    private static final int MESSAGES = 1000;
    private static final int PAYLOAD_BYTES = 256;
    private static final int ROUNDS = 7;
    private static final long ROUND_NANOS = 700_000_000L;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private final BufferPool pool = new BufferPool();
    private final ProduceCodec codec = new ProduceCodec(2_000_000, pool, InstantSource.system());
    private final PollJsonWriter writer = new PollJsonWriter(pool);
    private final JsonFactory factory = JsonFactory.builder().build();
    private final JsonMapper mapper = JsonMapper.builder().build();
    private final RandomIdsOfJackson ids = new RandomIdsOfJackson();
    private long sink;

    ProduceParsingBenchmark() {}

    ProduceCodec codec() {
        return codec;
    }

    public static void main(String[] args) throws IOException {
        new ProduceParsingBenchmark().run();
    }

    private interface Work {
        long once() throws IOException;
    }

    private void run() throws IOException {
        byte[] body = body();
        try (var arena = Arena.ofShared();
                ProduceBody taken = codec.readJson(new ByteArrayInputStream(body), body.length)) {
            RecordRun heap = StoredMessage.runOf(taken.batch(), 1_000_000, 1_700_000_000_000_000L);
            MemorySegment mapped = arena.allocate(heap.records().byteSize());
            mapped.copyFrom(heap.records());
            Slice slice = StoredMessage.sliceOf(
                    new RecordRun(mapped, heap.firstOffset(), heap.count(), heap.appendTimeMicros(), 1));
            double scanner = 0;
            double streaming = 0;
            double hand = 0;
            double objects = 0;
            for (int round = 0; round < ROUNDS; round++) {
                scanner = Math.max(scanner, rate(() -> scan(body)));
                streaming = Math.max(streaming, rate(() -> stream(body)));
                hand = Math.max(hand, rate(() -> writeByHand(slice)));
                objects = Math.max(objects, rate(() -> writeObjects(slice)));
            }
            print("produce, scanner", scanner, streaming);
            print("produce, Jackson streaming", streaming, streaming);
            print("poll, by hand", hand, objects);
            print("poll, object mapper", objects, objects);
        }
        System.out.println("(" + sink + ")");
    }

    private static void print(String what, double perSecond, double reference) {
        System.out.printf(
                Locale.ROOT,
                "%-28s %8.0f bodies/s  %6.2f M messages/s  %5.2f x%n",
                what,
                perSecond,
                perSecond * MESSAGES / 1e6,
                perSecond / reference);
    }

    private double rate(Work work) throws IOException {
        long began = CPU.getCurrentThreadCpuTime();
        long elapsed = 0;
        int count = 0;
        while (elapsed < ROUND_NANOS) {
            for (int i = 0; i < 10; i++) {
                sink += work.once();
            }
            count += 10;
            elapsed = CPU.getCurrentThreadCpuTime() - began;
        }
        return count * 1e9 / elapsed;
    }

    static byte[] body() {
        var random = new Random(42);
        var text = new StringBuilder("{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"},\"messages\":[");
        for (int i = 0; i < MESSAGES; i++) {
            byte[] payload = new byte[PAYLOAD_BYTES];
            random.nextBytes(payload);
            text.append(i == 0 ? "" : ",")
                    .append("{\"payload\":\"")
                    .append(Base64.getEncoder().encodeToString(payload))
                    .append("\"}");
        }
        return text.append("]}").toString().getBytes(UTF_8);
    }

    private long scan(byte[] body) {
        try (ProduceBody taken = codec.readJson(new ByteArrayInputStream(body), body.length)) {
            return taken.batch().bodyCrc();
        }
    }

    /** The same work on Jackson's streaming parser: no object per message but the decoded payload. */
    private long stream(byte[] body) {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), new ByteArrayInputStream(body));
                var batch = new BatchBuilder(pool, body.length)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean messages = parser.currentName().equals("messages");
                parser.nextToken();
                if (!messages) {
                    parser.skipChildren();
                    continue;
                }
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    streamMessage(parser, batch);
                }
            }
            return batch.build().bodyCrc();
        }
    }

    private void streamMessage(JsonParser parser, BatchBuilder batch) {
        byte[] payload = new byte[0];
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            boolean isPayload = parser.currentName().equals("payload");
            parser.nextToken();
            if (isPayload) {
                payload = parser.getBinaryValue();
            } else {
                parser.skipChildren();
            }
        }
        batch.begin();
        batch.payload(payload, 0, payload.length);
        batch.end(ids.next(), ids.next(), 1);
    }

    private static final class RandomIdsOfJackson {
        private long state = 1;

        long next() {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return state | 1;
        }
    }

    long writeByHand(Slice slice) throws IOException {
        writer.write(slice, new PollReply(0, 1_000_999, null, 1), OutputStream.nullOutputStream());
        return slice.count();
    }

    record Header(
            long checksum,
            BigInteger id,
            long offset,
            long timestamp,
            long origin_timestamp,
            int user_headers_length,
            int payload_length,
            int reserved) {}

    record Message(Header header, byte[] payload, List<String> user_headers) {}

    record Reply(int partition_id, long current_offset, int count, List<Message> messages, long epoch) {}

    long writeObjects(Slice slice) {
        var messages = new ArrayList<Message>(slice.count());
        for (RecordRun run : slice.runs()) {
            var reader = new RecordReader(run);
            while (reader.next()) {
                var header = new Header(
                        Integer.toUnsignedLong(reader.crc()),
                        StoredMessage.u128(reader.idHigh(), reader.idLow()),
                        reader.offset(),
                        reader.timestampMicros(),
                        reader.originTimestampMicros(),
                        reader.headersLength(),
                        reader.payloadLength(),
                        0);
                byte[] payload = reader.records()
                        .asSlice(reader.payloadPosition(), reader.payloadLength())
                        .toArray(ValueLayout.JAVA_BYTE);
                messages.add(new Message(header, payload, List.of()));
            }
        }
        mapper.writeValue(OutputStream.nullOutputStream(), new Reply(0, 1_000_999, messages.size(), messages, 1));
        return messages.size();
    }
}
