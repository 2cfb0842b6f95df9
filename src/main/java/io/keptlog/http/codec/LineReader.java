// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.MessageIdReader;
import io.keptlog.domain.message.RandomIds;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/**
 * Cuts a stream into lines and hands them out in batches: a batch goes when one more line, or the part of it that has arrived, would take
 * it over its limits. For one body; not thread-safe. Lines of a batch that was not handed out are forgotten on an error.
 */
final class LineReader {
    private static final byte LF = '\n';

    private final int lineMaxBytes;
    private final BatchBuilder batch;
    private final BatchSink sink;
    private final RandomIds randomIds;
    private final LongSupplier nowMicros;
    private final MessageIdReader id = new MessageIdReader();
    private long storedLines;
    private boolean lineOpen;
    private int lineLength;
    private long originMicros;

    LineReader(int lineMaxBytes, BatchBuilder batch, BatchSink sink, RandomIds randomIds, LongSupplier nowMicros) {
        this.lineMaxBytes = lineMaxBytes;
        this.batch = batch;
        this.sink = sink;
        this.randomIds = randomIds;
        this.nowMicros = nowMicros;
    }

    /** Lines of the batches that the sink took. */
    long storedLines() {
        return storedLines;
    }

    /**
     * Reads to the end of the stream.
     *
     * @param buffer for reading, any size
     */
    void read(InputStream in, long contentLength, byte[] buffer) {
        long received = 0;
        int count = read(in, buffer);
        while (count >= 0) {
            received += count;
            originMicros = nowMicros.getAsLong();
            take(buffer, count);
            count = read(in, buffer);
        }
        if (received < contentLength) {
            throw RequestBody.endedEarly(received, contentLength);
        }
        if (lineOpen) {
            endLine();
        }
        if (batch.count() > 0) {
            store();
        }
        if (storedLines == 0) {
            throw new KeptlogException(ErrorCode.INVALID_MESSAGES_COUNT, "The body has no line.");
        }
    }

    private static int read(InputStream in, byte[] buffer) {
        try {
            return in.read(buffer, 0, buffer.length);
        } catch (IOException e) {
            throw RequestBody.broken(e);
        }
    }

    private void take(byte[] buffer, int count) {
        int from = 0;
        while (from < count) {
            int stop = from;
            while (stop < count && buffer[stop] != LF) {
                stop++;
            }
            append(buffer, from, stop - from);
            if (stop < count) {
                endLine();
            }
            from = stop + 1;
        }
    }

    private void append(byte[] buffer, int from, int length) {
        if (!lineOpen) {
            batch.begin();
            lineOpen = true;
            lineLength = 0;
        }
        if (length > lineMaxBytes - lineLength) {
            throw refuse(ErrorCode.PAYLOAD_TOO_LARGE, lineMaxBytes);
        }
        if (length > Limits.PAYLOAD_MAX_BYTES - lineLength) {
            throw refuse(ErrorCode.TOO_BIG_MESSAGE_PAYLOAD, Limits.PAYLOAD_MAX_BYTES);
        }
        if (batch.count() > 0
                && (long) batch.bodyLength() + batch.openRecordLength() + length > Limits.NDJSON_BATCH_BYTES) {
            store();
        }
        batch.payload(buffer, from, length);
        lineLength += length;
    }

    private KeptlogException refuse(ErrorCode code, int maxBytes) {
        String line = "lines[" + (storedLines + batch.count()) + "]";
        return new KeptlogException(code, line + ": A line takes at most " + maxBytes + " bytes here.", line);
    }

    private void endLine() {
        randomIds.next(id);
        batch.end(id.high(), id.low(), originMicros);
        lineOpen = false;
        if (batch.count() == Limits.NDJSON_BATCH_LINES) {
            store();
        }
    }

    private void store() {
        int lines = batch.count();
        sink.store(batch.build());
        storedLines += lines;
        batch.reset();
    }
}
