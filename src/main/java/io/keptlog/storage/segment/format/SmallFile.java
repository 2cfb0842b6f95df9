// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read and replaced as a whole. A crash leaves the old content or the new one, never a mixture; perhaps a {@code .new}
 * file beside it, which the next replacement overwrites.
 */
final class SmallFile {
    private SmallFile() {}

    /** On stable storage, name included, when this returns. */
    static void replace(FileLayer files, Path file, MemorySegment content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        if (files.exists(fresh)) {
            files.delete(fresh);
        }
        try (StoreFile out = files.open(fresh, FileLayer.Mode.CREATE_NEW)) {
            out.write(content, 0);
            out.syncData();
        } catch (IOException e) {
            drop(files, fresh, e);
            throw e;
        }
        files.rename(fresh, file);
        files.syncDirectory(directoryOf(file));
    }

    /**
     * @param maxBytes a larger file is not read
     * @return null when there is no such file; empty when it is too large to be what is meant
     */
    static @Nullable MemorySegment read(FileLayer files, Path file, long maxBytes) throws IOException {
        if (!files.exists(file)) {
            return null;
        }
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            long size = in.size();
            if (size > maxBytes) {
                return MemorySegment.ofArray(new byte[0]);
            }
            MemorySegment bytes = MemorySegment.ofArray(new byte[(int) size]);
            int read = in.read(bytes, 0);
            return bytes.asSlice(0, read);
        }
    }

    /** What went wrong first is what counts; on a disk without room for a name there is nothing to delete. */
    private static void drop(FileLayer files, Path fresh, IOException cause) {
        try {
            if (files.exists(fresh)) {
                files.delete(fresh);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    static Path directoryOf(Path file) {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("no directory: " + file);
        }
        return parent;
    }
}
