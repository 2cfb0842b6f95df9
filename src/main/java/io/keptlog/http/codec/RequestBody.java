// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.http.codec.json.SendMessagesParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Map;

/**
 * A whole request body in one pooled array, bounded by counting. The array grows with what arrived, not with what was declared: a client
 * that announces much and sends little holds little. Not thread-safe; give it back with {@link #close}.
 */
final class RequestBody implements AutoCloseable {
    /** Taken at once for a declared length; larger bodies grow to theirs. */
    private static final int FIRST_MAX_BYTES = 512 * 1024 - 1 - SendMessagesParser.SLACK_BYTES;

    private static final int FIRST_UNDECLARED_BYTES = 16 * 1024;

    private final BufferPool pool;
    private byte[] bytes;
    private int length;

    private RequestBody(BufferPool pool, int firstBytes) {
        this.pool = pool;
        this.bytes = pool.take(firstBytes);
    }

    /**
     * Reads to the end.
     *
     * @throws KeptlogException PAYLOAD_TOO_LARGE, INVALID_FORMAT (ended early), REQUEST_TIMEOUT
     */
    static RequestBody read(InputStream in, long contentLength, int maxBytes, BufferPool pool) {
        if (contentLength > maxBytes) {
            throw tooLarge(maxBytes);
        }
        int first = contentLength < 0
                ? FIRST_UNDECLARED_BYTES
                : (int) Math.min(contentLength, FIRST_MAX_BYTES) + 1 + SendMessagesParser.SLACK_BYTES;
        var body = new RequestBody(pool, first);
        boolean whole = false;
        try {
            body.readAll(in, contentLength, maxBytes);
            whole = true;
            return body;
        } finally {
            if (!whole) {
                body.close();
            }
        }
    }

    private void readAll(InputStream in, long contentLength, int maxBytes) {
        try {
            while (true) {
                int room = Math.min(bytes.length - SendMessagesParser.SLACK_BYTES, maxBytes + 1) - length;
                if (room == 0) {
                    grow(length < contentLength ? (int) contentLength : maxBytes);
                    continue;
                }
                int count = in.read(bytes, length, room);
                if (count < 0) {
                    break;
                }
                length += count;
                if (length > maxBytes) {
                    throw tooLarge(maxBytes);
                }
            }
        } catch (IOException e) {
            throw broken(e);
        }
        if (length < contentLength) {
            throw endedEarly(length, contentLength);
        }
        bytes[length] = 0;
    }

    /**
     * @param mostBytes the body has no more, or has too many
     */
    private void grow(int mostBytes) {
        long wanted = Math.min(bytes.length * 4L, mostBytes + 1L + SendMessagesParser.SLACK_BYTES);
        byte[] larger = pool.take((int) wanted);
        System.arraycopy(bytes, 0, larger, 0, length);
        pool.give(bytes);
        bytes = larger;
    }

    /** The body, then a 0, then anything. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    @Override
    public void close() {
        if (bytes.length > 0) {
            pool.give(bytes);
            bytes = new byte[0];
        }
    }

    private static KeptlogException tooLarge(int maxBytes) {
        return new KeptlogException(
                ErrorCode.PAYLOAD_TOO_LARGE, "A request body takes at most " + maxBytes + " bytes here.");
    }

    static KeptlogException endedEarly(long received, long declared) {
        return new KeptlogException(
                ErrorCode.INVALID_FORMAT,
                "The body ended early: " + received + " bytes of the declared " + declared + " arrived.");
    }

    /** What a failure of the body's stream means to the client, if it is still there. */
    static KeptlogException broken(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return new KeptlogException(
                        ErrorCode.REQUEST_TIMEOUT, "The body stopped arriving.", null, 0, Map.of(), e);
            }
        }
        return new KeptlogException(
                ErrorCode.INVALID_FORMAT, "The body could not be read to its end.", null, 0, Map.of(), e);
    }
}
