// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.Partitioning;
import java.io.InputStream;
import java.time.InstantSource;
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
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class ProduceCodec {
    private final int bodyMaxBytes;
    private final BufferPool pool;
    private final InstantSource clock;

    /**
     * @param bodyMaxBytes of a JSON or octet-stream body, and of one line of an ndjson body
     * @param clock gives messages their origin timestamp
     */
    public ProduceCodec(int bodyMaxBytes, BufferPool pool, InstantSource clock) {
        if (bodyMaxBytes < 1) {
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
        throw new UnsupportedOperationException("being written");
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
        throw new UnsupportedOperationException("being written");
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
        throw new UnsupportedOperationException("being written");
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
}
