// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Limits;
import io.keptlog.storage.cold.ColdReads;
import io.keptlog.storage.segment.MappedSegment.Mapping;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Sees to it that the part of a mapping that is read next is in memory, a good deal at once. One reader, one thread. */
final class WarmPages {
    private final ColdReads coldReads;
    private final Mapping mapping;
    private final long end;
    private long warmTo;

    /** @param end nothing is read from here on */
    WarmPages(ColdReads coldReads, Mapping mapping, long end) {
        this.coldReads = coldReads;
        this.mapping = mapping;
        this.end = end;
    }

    /**
     * @throws IOException the disk refused to read what is required; what lies around it does not count
     */
    void require(long position, long length) throws IOException {
        if (position + length <= warmTo || position >= end) {
            return;
        }
        long from = Math.max(position, warmTo);
        long needed = Math.min(end, position + length);
        long to = Math.min(end, Math.max(needed, from + Limits.COLD_READ_BYTES));
        try {
            load(from, to);
            warmTo = to;
        } catch (IOException ahead) {
            load(from, needed);
            warmTo = needed;
        }
    }

    private void load(long from, long to) throws IOException {
        MemorySegment part = mapping.memory().asSlice(from, to - from);
        if (!ColdReads.inMemory(part)) {
            coldReads.load(part, mapping);
        }
    }
}
