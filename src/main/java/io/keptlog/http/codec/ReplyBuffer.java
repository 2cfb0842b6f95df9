// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.BufferPool;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * A pooled array in front of a reply's stream: text, numbers and base64 are put together in it and go out when it is full. Not
 * thread-safe. {@link #finish} sends the rest; {@link #close} gives the array back and sends nothing.
 */
final class ReplyBuffer implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    /** Stored bytes encoded at once; a multiple of 3, and its base64 fits the buffer. */
    private static final int CHUNK_BYTES = 24 * 1024;

    private static final Base64.Encoder ENCODER = Base64.getEncoder();

    private final BufferPool pool;
    private final OutputStream out;
    private byte[] bytes;
    private byte[] chunk;
    private int length;

    ReplyBuffer(BufferPool pool, OutputStream out) {
        this.pool = pool;
        this.out = out;
        this.bytes = pool.take(BUFFER_BYTES);
        this.chunk = pool.take(CHUNK_BYTES);
    }

    /** Makes room; what is put after it, up to that many bytes, needs no check of its own. */
    private void room(int more) throws IOException {
        if (bytes.length - length < more) {
            out.write(bytes, 0, length);
            length = 0;
        }
    }

    void put(byte[] text) throws IOException {
        room(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
    }

    void put(char ascii) throws IOException {
        room(1);
        bytes[length++] = (byte) ascii;
    }

    /** An unsigned number in decimal. */
    void number(long value) throws IOException {
        room(Decimal.U64_MAX_CHARS);
        length = Decimal.put(value, bytes, length);
    }

    /** An unsigned 128-bit number in decimal. */
    void number(long high, long low) throws IOException {
        room(Decimal.U128_MAX_CHARS);
        length = Decimal.put(high, low, bytes, length);
    }

    /** Stored bytes in base64, with padding, without quotes. */
    void base64(MemorySegment source, long position, int sourceLength) throws IOException {
        long from = position;
        int left = sourceLength;
        while (left > 0) {
            int count = Math.min(left, CHUNK_BYTES);
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, chunk, 0, count);
            ByteBuffer encoded = ENCODER.encode(ByteBuffer.wrap(chunk, 0, count));
            int chars = encoded.remaining();
            room(chars);
            System.arraycopy(encoded.array(), 0, bytes, length, chars);
            length += chars;
            from += count;
            left -= count;
        }
    }

    /** Stored bytes as they are. */
    void raw(MemorySegment source, long position, int sourceLength) throws IOException {
        long from = position;
        int left = sourceLength;
        while (left > 0) {
            if (length == bytes.length) {
                room(bytes.length);
            }
            int count = Math.min(left, bytes.length - length);
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, bytes, length, count);
            length += count;
            from += count;
            left -= count;
        }
    }

    void finish() throws IOException {
        out.write(bytes, 0, length);
        length = 0;
    }

    @Override
    public void close() {
        if (bytes.length > 0) {
            pool.give(bytes);
            pool.give(chunk);
            bytes = new byte[0];
            chunk = bytes;
        }
    }
}
