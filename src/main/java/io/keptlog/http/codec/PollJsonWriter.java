// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.Slice;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes Iggy's PolledMessages straight from stored bytes, with a bounded scratch array and no object per message. Safe for any number
 * of threads.
 */
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class PollJsonWriter {
    private final BufferPool pool;

    public PollJsonWriter(BufferPool pool) {
        this.pool = pool;
    }

    /**
     * Writes the reply and leaves the slice open.
     *
     * @throws IOException the reader went away; part of the reply may be written
     * @throws io.keptlog.domain.KeptlogException PARTITION_DAMAGED; part of the reply may be written
     */
    public void write(Slice slice, PollReply reply, OutputStream out) throws IOException {
        throw new UnsupportedOperationException("being written");
    }
}
