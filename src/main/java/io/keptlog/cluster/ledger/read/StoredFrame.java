// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import java.lang.foreign.MemorySegment;

/**
 * A frame with its place. The header's checksum is seeded with the base offset: an entry may be added again to another ledger under
 * another number, with the same bytes.
 */
public record StoredFrame(MemorySegment bytes, FrameHeader header, long ledgerId, long entryId) {
    /** Entries are frames, and a client frame carries some protocol besides (netty frame limit of the BookKeeper client: 5 MiB). */
    public static final int FRAME_MAX_BYTES = (5 << 20) - (64 << 10);

    /**
     * @throws KeptlogException PARTITION_DAMAGED when the bytes are not a frame of this partition's life
     */
    public static StoredFrame parse(byte[] entry, long ledgerId, long entryId, long incarnation) {
        MemorySegment bytes = MemorySegment.ofArray(entry);
        FrameHeader header = entry.length < FrameLayout.HEADER_BYTES
                ? null
                : FrameHeader.read(bytes, 0, bytes.get(FrameLayout.U64, FrameLayout.BASE_OFFSET), incarnation);
        if (header == null
                || header.frameLength() != entry.length
                || Checksums.crc(bytes, FrameLayout.HEADER_BYTES, header.bodyLength()) != header.bodyCrc()) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_DAMAGED,
                    "Entry " + entryId + " of ledger " + ledgerId + " is not a frame of this partition.");
        }
        return new StoredFrame(bytes, header, ledgerId, entryId);
    }

    public int headerCrc() {
        return FrameHeader.storedCrc(bytes, 0);
    }

    public long baseOffset() {
        return header.baseOffset();
    }

    public long endOffset() {
        return header.endOffset();
    }

    public int lengthBytes() {
        return header.frameLength();
    }
}
