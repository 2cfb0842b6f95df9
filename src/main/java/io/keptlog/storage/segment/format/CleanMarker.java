// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;

import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.Checksums;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory's {@code clean} file: written after everything was synced at a graceful stop, taken away (directory synced) before
 * the first write of the next start. Lists where each log ended; fenced and refused partitions are left out. A marker that does not
 * prove itself counts as absent. Little-endian:
 *
 * <pre>
 *  0  u32  magic "KLCL"
 *  4  u32  CRC32C of the bytes from 8 to the end
 *  8  u32  format version, 1
 * 12  u32  number of partitions
 * 16  per partition: u32 stream id, u32 topic id, u32 partition id, u32 zero, then its {@link Checkpoint}
 * </pre>
 *
 * @param partitions each with its last checkpoint, whose end is the log's end
 */
public record CleanMarker(Map<PartitionRef, Checkpoint> partitions) {
    private static final Logger LOG = LoggerFactory.getLogger(CleanMarker.class);
    private static final int MAGIC_VALUE = 0x4C_43_4C_4B;
    private static final int FORMAT_VERSION = 1;
    private static final int CRC = 4;
    private static final int VERSION = 8;
    private static final int COUNT = 12;
    private static final int ENTRIES = 16;
    private static final int ENTRY_BYTES = 16 + Checkpoint.BYTES;

    public static final CleanMarker NONE = new CleanMarker(Map.of());

    public CleanMarker {
        partitions = Map.copyOf(partitions);
        if (partitions.size() > Limits.CLEAN_MARKER_PARTITIONS_MAX) {
            throw new IllegalArgumentException(partitions.size() + " partitions in the clean marker");
        }
    }

    /** Where this life of the partition ended at the last stop, or null when it is not known to have ended well. */
    public @Nullable Checkpoint end(PartitionRef ref, long incarnation) {
        Checkpoint end = partitions.get(ref);
        return end != null && end.incarnation() == incarnation ? end : null;
    }

    /** On stable storage when this returns. */
    public void write(FileLayer files, Path dataDir) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[ENTRIES + partitions.size() * ENTRY_BYTES]);
        bytes.set(U32, 0, MAGIC_VALUE);
        bytes.set(U32, VERSION, FORMAT_VERSION);
        bytes.set(U32, COUNT, partitions.size());
        long at = ENTRIES;
        for (Map.Entry<PartitionRef, Checkpoint> entry : partitions.entrySet()) {
            bytes.set(U32, at, entry.getKey().streamId());
            bytes.set(U32, at + 4, entry.getKey().topicId());
            bytes.set(U32, at + 8, entry.getKey().partitionId());
            entry.getValue().write(bytes, at + 16);
            at += ENTRY_BYTES;
        }
        bytes.set(U32, CRC, Checksums.crc(bytes, VERSION, bytes.byteSize() - VERSION));
        SmallFile.replace(files, path(dataDir), bytes);
    }

    /**
     * Reads the marker and takes it away; the next stop that is not graceful leaves none. What it says is first moved into the
     * checkpoint of each partition that says less, so that a start that is killed right after this still knows it.
     *
     * @return {@link #NONE} when there was none
     */
    public static CleanMarker take(FileLayer files, Path dataDir) throws IOException {
        CleanMarker marker = read(files, dataDir);
        for (Map.Entry<PartitionRef, Checkpoint> entry : marker.partitions.entrySet()) {
            try {
                keep(files, PartitionPaths.inPlace(dataDir, entry.getKey()), entry.getValue());
            } catch (IOException e) {
                // One partition's disk trouble must not stop the others; its own recovery meets the same trouble and
                // reports it.
                LOG.warn("checkpoint of partition {} not updated", entry.getKey(), e);
            }
        }
        if (files.exists(path(dataDir))) {
            files.delete(path(dataDir));
            files.syncDirectory(dataDir);
        }
        return marker;
    }

    /** Reads the marker and changes nothing. */
    public static CleanMarker read(FileLayer files, Path dataDir) throws IOException {
        MemorySegment bytes =
                SmallFile.read(files, path(dataDir), ENTRIES + (long) ENTRY_BYTES * Limits.CLEAN_MARKER_PARTITIONS_MAX);
        if (bytes == null
                || bytes.byteSize() < ENTRIES
                || bytes.get(U32, 0) != MAGIC_VALUE
                || bytes.get(U32, VERSION) != FORMAT_VERSION
                || bytes.byteSize() != ENTRIES + (long) bytes.get(U32, COUNT) * ENTRY_BYTES
                || bytes.get(U32, CRC) != Checksums.crc(bytes, VERSION, bytes.byteSize() - VERSION)) {
            return NONE;
        }
        var partitions = new LinkedHashMap<PartitionRef, Checkpoint>();
        for (long at = ENTRIES; at < bytes.byteSize(); at += ENTRY_BYTES) {
            var ref = new PartitionRef(bytes.get(U32, at), bytes.get(U32, at + 4), bytes.get(U32, at + 8));
            Checkpoint end = Checkpoint.read(bytes, at + 16);
            if (end == null) {
                return NONE;
            }
            partitions.put(ref, end);
        }
        return new CleanMarker(partitions);
    }

    private static void keep(FileLayer files, PartitionPaths paths, Checkpoint end) throws IOException {
        if (!files.isDirectory(paths.directory())) {
            return;
        }
        Checkpoint newest = CheckpointFile.read(files, paths.checkpoint(), end.incarnation())
                .newest();
        if (newest == null || newest.endOffset() < end.endOffset()) {
            CheckpointFile.put(files, paths.checkpoint(), newest == null ? end : end.after(newest));
            files.syncDirectory(paths.directory());
        }
    }

    private static Path path(Path dataDir) {
        return dataDir.resolve("clean");
    }
}
