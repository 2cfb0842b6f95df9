// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts an input behind its lines: as much as one read gives, so that lines that come slowly are passed on at once and a file in large
 * pieces. Bytes are passed on as they are. Used by one thread; holds one piece and the beginning of the next line.
 */
final class LineChunks {
    private static final int CHUNK_BYTES = 1 << 20;

    private final InputStream in;
    private final int lineMaxBytes;
    private byte[] held = new byte[CHUNK_BYTES];
    private int filled;

    LineChunks(InputStream in, int lineMaxBytes) {
        this.in = in;
        this.lineMaxBytes = lineMaxBytes;
    }

    /** Whole lines; the last one of an input may lack its LF. */
    record Chunk(byte[] bytes, long lines) {}

    /**
     * Waits for the next lines; null at the end.
     *
     * @throws IOException the input cannot be read, or a line is too long
     */
    @Nullable
    Chunk next() throws IOException {
        while (true) {
            if (filled == held.length) {
                grow();
            }
            int got = in.read(held, filled, held.length - filled);
            if (got < 0) {
                Chunk rest = filled == 0 ? null : new Chunk(Arrays.copyOf(held, filled), 1);
                filled = 0;
                return rest;
            }
            int begin = filled;
            filled += got;
            int lines = 0;
            int end = -1;
            for (int i = begin; i < filled; i++) {
                if (held[i] == '\n') {
                    lines++;
                    end = i + 1;
                }
            }
            if (end > 0) {
                return cut(end, lines);
            }
        }
    }

    private Chunk cut(int end, int lines) {
        byte[] whole = Arrays.copyOf(held, end);
        System.arraycopy(held, end, held, 0, filled - end);
        filled -= end;
        return new Chunk(whole, lines);
    }

    private void grow() throws IOException {
        if (held.length >= lineMaxBytes) {
            throw new IOException("a line is longer than " + lineMaxBytes + " bytes");
        }
        held = Arrays.copyOf(held, Math.min(lineMaxBytes, held.length * 2));
    }
}
