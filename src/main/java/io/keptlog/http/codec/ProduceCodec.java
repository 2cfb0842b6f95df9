// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.MessageIdReader;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.domain.message.RandomIds;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.http.codec.json.SendMessagesParser;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads produce bodies in their three forms into batches. Knows nothing of storage. Safe for any number of threads; blocks only in the
 * body's stream.
 *
 * <p>Every refusal is a KeptlogException that names what is at fault in its field, for example {@code messages[3].payload}; nothing was
 * handed out then, except the batches of an ndjson body that the sink has already taken.
 *
 * <p>Content lengths are bytes, −1 when the request does not say (chunked). A body over the maximum is PAYLOAD_TOO_LARGE, found by its
 * declared length or by counting. A body that ends early, before its declared length or with an error of the stream, is INVALID_FORMAT;
 * one that stalls until the connector gives up is REQUEST_TIMEOUT.
 */
public final class ProduceCodec {
    private static final int LINE_BUFFER_BYTES = 64 * 1024;

    private final int bodyMaxBytes;
    private final BufferPool pool;
    private final InstantSource clock;
    private final RandomIds randomIds = new RandomIds();

    /**
     * @param bodyMaxBytes of a JSON or octet-stream body, and of one line of an ndjson body
     * @param clock gives messages their origin timestamp
     */
    public ProduceCodec(int bodyMaxBytes, BufferPool pool, InstantSource clock) {
        if (bodyMaxBytes < 1 || bodyMaxBytes > Limits.REQUEST_BODY_MAX_BYTES) {
            throw new IllegalArgumentException("body maximum " + bodyMaxBytes);
        }
        this.bodyMaxBytes = bodyMaxBytes;
        this.pool = pool;
        this.clock = clock;
    }

    /**
     * Reads Iggy's SendMessages.
     *
     * @throws io.keptlog.domain.KeptlogException INVALID_FORMAT (not JSON, not base64), INVALID_COMMAND (not SendMessages),
     *     INVALID_MESSAGES_COUNT, TOO_MANY_MESSAGES, TOO_BIG_USER_HEADERS, INVALID_HEADER_KEY, INVALID_HEADER_VALUE,
     *     TOO_BIG_MESSAGE_PAYLOAD, EMPTY_MESSAGE_PAYLOAD, INVALID_KEY_VALUE_LENGTH, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT
     */
    public ProduceBody readJson(InputStream body, long contentLength) {
        try (RequestBody whole = RequestBody.read(body, contentLength, bodyMaxBytes, pool)) {
            var batch = new BatchBuilder(pool, whole.length());
            return orClosed(batch, () -> {
                var parser = new SendMessagesParser(whole.bytes(), whole.length(), batch, randomIds, nowMicros());
                Partitioning partitioning = parser.parse();
                return new ProduceBody(partitioning, batch.build(), batch);
            });
        }
    }

    /**
     * Reads one message whose payload is the body.
     *
     * @param messageId the value of {@code Keptlog-Message-Id}: decimal u128, 32 hex digits or a UUID; null or 0 = a random one
     * @throws io.keptlog.domain.KeptlogException EMPTY_MESSAGE_PAYLOAD, TOO_BIG_MESSAGE_PAYLOAD, INVALID_COMMAND (the id),
     *     INVALID_FORMAT, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT
     */
    public ProduceBody readOctetStream(
            InputStream body, long contentLength, Partitioning partitioning, @Nullable String messageId) {
        var id = new MessageIdReader();
        RawHeaders.messageId(messageId, id);
        try (RequestBody whole = RequestBody.read(body, contentLength, bodyMaxBytes, pool)) {
            if (whole.length() == 0) {
                throw new KeptlogException(
                        ErrorCode.EMPTY_MESSAGE_PAYLOAD, "A payload has at least one byte.", "payload");
            }
            var batch = new BatchBuilder(pool, RecordLayout.HEADER_BYTES + whole.length());
            return orClosed(batch, () -> {
                batch.begin();
                batch.payload(whole.bytes(), 0, whole.length());
                if (id.isZero()) {
                    randomIds.next(id);
                }
                batch.end(id.high(), id.low(), nowMicros());
                return new ProduceBody(partitioning, batch.build(), batch);
            });
        }
    }

    /**
     * Reads a stream of lines, each of them one message, verbatim. A line ends at LF; CR is kept; an empty line is an empty message; a
     * final line without LF counts. Batches have at most {@link io.keptlog.domain.Limits#NDJSON_BATCH_LINES} lines and
     * {@link io.keptlog.domain.Limits#NDJSON_BATCH_BYTES} stored bytes; a longer line is a batch of its own.
     *
     * @return lines stored, at least 1
     * @throws io.keptlog.domain.KeptlogException every error, the sink's as well, carries the detail {@code stored_lines}: lines of the
     *     batches that the sink took. INVALID_MESSAGES_COUNT (no line), PAYLOAD_TOO_LARGE and TOO_BIG_MESSAGE_PAYLOAD (a line),
     *     INVALID_FORMAT, REQUEST_TIMEOUT
     */
    public long readNdjson(InputStream body, long contentLength, BatchSink sink) {
        byte[] buffer = pool.take(LINE_BUFFER_BYTES);
        try (var batch = new BatchBuilder(pool, expectedOfLines(contentLength))) {
            var lines = new LineReader(bodyMaxBytes, batch, sink, randomIds, this::nowMicros);
            try {
                lines.read(body, contentLength, buffer);
            } catch (KeptlogException e) {
                throw e.with("stored_lines", lines.storedLines());
            }
            return lines.storedLines();
        } finally {
            pool.give(buffer);
        }
    }

    /** A few lines need no array for a thousand. */
    private static int expectedOfLines(long contentLength) {
        return contentLength < 0 || contentLength > Limits.NDJSON_BATCH_BYTES
                ? Limits.NDJSON_BATCH_BYTES
                : (int) contentLength;
    }

    /**
     * The partitioning that the headers of an octet-stream or ndjson request ask for.
     *
     * @param key the value of {@code Keptlog-Key} as the container decodes it, one char per byte (ISO 8859-1); the key is its bytes
     * @param partition the value of {@code Keptlog-Partition}
     * @throws io.keptlog.domain.KeptlogException INVALID_KEY_VALUE_LENGTH, INVALID_COMMAND (not a u32, or both are given)
     */
    public static Partitioning partitioning(@Nullable String key, @Nullable String partition) {
        return RawHeaders.partitioning(key, partition);
    }

    private static ProduceBody orClosed(BatchBuilder batch, Supplier<ProduceBody> work) {
        ProduceBody done = null;
        try {
            done = work.get();
            return done;
        } finally {
            if (done == null) {
                batch.close();
            }
        }
    }

    private long nowMicros() {
        Instant now = clock.instant();
        return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000L), now.getNano() / 1000);
    }
}
