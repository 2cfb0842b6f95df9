// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.domain.message.Slice;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the payloads of a poll, each followed by LF. Safe for any number of threads. */
public final class RawPollWriter {
    private final BufferPool pool;

    public RawPollWriter(BufferPool pool) {
        this.pool = pool;
    }

    /**
     * Writes the payloads and leaves the slice and the stream open.
     *
     * @throws IOException the reader went away; part of the reply may be written
     * @throws io.keptlog.domain.KeptlogException PARTITION_DAMAGED; part of the reply may be written
     */
    public void write(Slice slice, OutputStream out) throws IOException {
        try (var buffer = new ReplyBuffer(pool, out)) {
            for (RecordRun run : slice.runs()) {
                var reader = new RecordReader(run);
                while (reader.next()) {
                    buffer.raw(reader.records(), reader.payloadPosition(), reader.payloadLength());
                    buffer.put('\n');
                }
            }
            buffer.finish();
        }
    }
}
