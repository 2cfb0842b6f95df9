// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A segment file as it was found: its name, its header block and the header of its first frame, nothing more.
 *
 * @param baseOffset by its name
 * @param fault why it is not a segment of this life, or null
 * @param firstFrame null when it has none that is intact
 */
record FoundSegment(
        long baseOffset,
        Path file,
        long sizeBytes,
        @Nullable String fault,
        boolean unreadable,
        @Nullable FrameHeader firstFrame) {

    /** The fault of a segment whose header never reached the disk, or is gone altogether. */
    static final String NO_HEADER = "has no segment header";

    private static final int SECTOR_BYTES = 512;
    private static final MemorySegment ZERO_SECTOR = MemorySegment.ofArray(new byte[SECTOR_BYTES]);

    /** Every segment file in the directory, by base offset. */
    static List<FoundSegment> list(FileLayer files, PartitionPaths paths, PartitionSpec spec) throws IOException {
        var found = new ArrayList<FoundSegment>();
        for (Path file : files.list(paths.directory())) {
            var base = PartitionPaths.logBase(file);
            if (base.isPresent()) {
                found.add(look(files, paths.log(base.getAsLong()), spec, base.getAsLong()));
            }
        }
        found.sort(Comparator.comparingLong(FoundSegment::baseOffset));
        return found;
    }

    private static FoundSegment look(FileLayer files, Path path, PartitionSpec spec, long base) {
        MemorySegment start = MemorySegment.ofArray(new byte[SegmentHeader.BYTES + FrameLayout.HEADER_BYTES]);
        try (StoreFile file = files.open(path, FileLayer.Mode.READ)) {
            long size = file.size();
            int read = file.read(start, 0);
            SegmentHeader header = SegmentHeader.read(start.asSlice(0, read));
            if (header == null) {
                boolean unwritten =
                        start.asSlice(0, Math.min(read, SECTOR_BYTES)).mismatch(ZERO_SECTOR) == -1
                                || read < SECTOR_BYTES;
                return new FoundSegment(base, path, size, unwritten ? NO_HEADER : "has a damaged header", false, null);
            }
            if (!header.belongsTo(spec.ref(), spec.incarnation(), base)) {
                return new FoundSegment(base, path, size, "is of another segment or another life", false, null);
            }
            FrameHeader first = read < start.byteSize()
                    ? null
                    : FrameHeader.read(
                            start, SegmentHeader.BYTES, SegmentHeader.FIRST_FRAME_POSITION, spec.incarnation());
            return new FoundSegment(base, path, size, null, false, first);
        } catch (IOException e) {
            return new FoundSegment(base, path, 0, "cannot be read: " + e.getMessage(), true, null);
        }
    }
}
