// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A partition's {@code checkpoint} file: two slots, 4096 bytes apart, written in turn (by the sequence's lowest bit), so that a torn
 * write leaves the other one. Not thread-safe: the log's sync owner writes it. A crash leaves each slot old or new. Throws IOException
 * of the file layer; the slot's content is then unknown, the other slot is whole.
 */
public final class CheckpointFile implements Closeable {
    private static final int SLOT_BYTES = 4096;
    private static final int SLOTS = 2;

    /**
     * What the file says.
     *
     * @param newest null when no slot is good
     * @param older the other slot, when it is good and of the same incarnation; the log between the two was written last
     * @param damaged something is there that is no checkpoint of this life, or the file is missing
     */
    public record Content(@Nullable Checkpoint newest, @Nullable Checkpoint older, boolean damaged) {}

    private final StoreFile file;

    private CheckpointFile(StoreFile file) {
        this.file = file;
    }

    /** Makes the file with its first checkpoint; synced, but not its name. */
    public static void create(FileLayer files, Path path, Checkpoint first) throws IOException {
        try (CheckpointFile made = new CheckpointFile(files.open(path, FileLayer.Mode.CREATE_NEW))) {
            made.file.write(MemorySegment.ofArray(new byte[SLOT_BYTES * SLOTS]), 0);
            made.write(first);
            made.sync();
        }
    }

    /** Writes one checkpoint and syncs it; makes the file when it is missing, its name not synced. */
    public static void put(FileLayer files, Path path, Checkpoint checkpoint) throws IOException {
        if (!files.exists(path)) {
            create(files, path, checkpoint);
            return;
        }
        try (CheckpointFile file = open(files, path)) {
            file.write(checkpoint);
            file.sync();
        }
    }

    public static CheckpointFile open(FileLayer files, Path path) throws IOException {
        return new CheckpointFile(files.open(path, FileLayer.Mode.READ_WRITE));
    }

    /** Reads both slots; a missing file counts as damaged. */
    public static Content read(FileLayer files, Path path, long incarnation) throws IOException {
        MemorySegment bytes = SmallFile.read(files, path, 1 << 20);
        if (bytes == null) {
            return new Content(null, null, true);
        }
        Checkpoint even = slot(bytes, 0, incarnation);
        Checkpoint odd = slot(bytes, 1, incarnation);
        boolean damaged = (even == null && !unused(bytes, 0)) || (odd == null && !unused(bytes, 1));
        if (even == null || odd == null) {
            Checkpoint only = even == null ? odd : even;
            return new Content(only, null, damaged || only == null);
        }
        return even.sequence() > odd.sequence() ? new Content(even, odd, damaged) : new Content(odd, even, damaged);
    }

    /** Writes the checkpoint into its slot. Durable after {@link #sync}. */
    public void write(Checkpoint checkpoint) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Checkpoint.BYTES]);
        checkpoint.write(bytes, 0);
        file.write(bytes, (checkpoint.sequence() & 1) * SLOT_BYTES);
    }

    public void sync() throws IOException {
        file.syncData();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private static @Nullable Checkpoint slot(MemorySegment bytes, int slot, long incarnation) {
        Checkpoint found = Checkpoint.read(bytes, (long) slot * SLOT_BYTES);
        return found != null && found.incarnation() == incarnation && (found.sequence() & 1) == slot ? found : null;
    }

    private static boolean unused(MemorySegment bytes, int slot) {
        long at = (long) slot * SLOT_BYTES;
        if (bytes.byteSize() < at + Checkpoint.BYTES) {
            return false;
        }
        for (int i = 0; i < Checkpoint.BYTES; i++) {
            if (bytes.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at + i) != 0) {
                return false;
            }
        }
        return true;
    }
}
