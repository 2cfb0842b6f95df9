// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Bytes of a segment file as a scan sees them: read in chunks, or a mapping that the caller owns. Not thread-safe. */
public interface FrameBytes {
    long sizeBytes();

    /**
     * @return the range, shorter when the file ends before it; valid until the next call
     * @throws IOException the range could not be read
     */
    MemorySegment view(long position, long lengthBytes) throws IOException;

    /** As {@link io.keptlog.storage.file.StoreFile#dataFrom}: what lies between reads as zeros. */
    long dataFrom(long position) throws IOException;

    /** Bytes that the caller mapped. */
    static FrameBytes mapped(MemorySegment whole) {
        return new FrameBytes() {
            @Override
            public long sizeBytes() {
                return whole.byteSize();
            }

            @Override
            public MemorySegment view(long position, long lengthBytes) {
                long from = Math.min(position, whole.byteSize());
                return whole.asSlice(from, Math.min(lengthBytes, whole.byteSize() - from));
            }

            @Override
            public long dataFrom(long position) {
                return position;
            }
        };
    }
}
