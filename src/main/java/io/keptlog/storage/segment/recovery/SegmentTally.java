// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.SparseIndex;
import io.keptlog.storage.segment.scan.FrameVisitor;
import java.lang.foreign.MemorySegment;

/** What a scan learns of one segment while it goes: index, epochs, time of the first frame. Used by one thread. */
final class SegmentTally implements FrameVisitor {
    private final SparseIndex index;
    private EpochHistory epochs;
    private long firstAppendTimeMicros;
    private boolean producerSeen;

    SegmentTally(SparseIndex index, EpochHistory epochs, long firstAppendTimeMicros) {
        this.index = index;
        this.epochs = epochs;
        this.firstAppendTimeMicros = firstAppendTimeMicros;
    }

    @Override
    public void frame(FrameHeader header, int headerCrc, long position, MemorySegment bytes) {
        index.note(header.baseOffset(), position, header.appendTimeMicros());
        epochs = epochs.with(header.epoch(), header.baseOffset());
        if (firstAppendTimeMicros == 0) {
            firstAppendTimeMicros = header.appendTimeMicros();
        }
        producerSeen |= header.producer() != null;
    }

    SparseIndex index() {
        return index;
    }

    EpochHistory epochs() {
        return epochs;
    }

    /** Whether a frame carries a producer. */
    boolean producerSeen() {
        return producerSeen;
    }

    long firstAppendTimeMicros() {
        return firstAppendTimeMicros;
    }
}
