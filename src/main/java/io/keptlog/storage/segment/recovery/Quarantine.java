// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The data directory's {@code quarantine/}: what recovery takes out of a log is kept here under a name of its own, never overwritten,
 * never deleted by the server. Each call is on stable storage, names included, when it returns; a crash leaves at most a copy that
 * nothing speaks of.
 */
final class Quarantine {
    private final FileLayer files;
    private final Path dataDir;
    private final PartitionSpec spec;
    private final long copiesMaxBytes;

    Quarantine(FileLayer files, Path dataDir, PartitionSpec spec) {
        this(files, dataDir, spec, Limits.QUARANTINE_COPIES_MAX_BYTES);
    }

    /** @param copiesMaxBytes of all copies together */
    Quarantine(FileLayer files, Path dataDir, PartitionSpec spec, long copiesMaxBytes) {
        this.files = files;
        this.dataDir = dataDir;
        this.spec = spec;
        this.copiesMaxBytes = copiesMaxBytes;
    }

    /**
     * Copies a range of a file.
     *
     * @return the copy, relative to the data directory
     * @throws io.keptlog.storage.file.NoSpaceException no room, on the disk or below the bound of all copies together; a started copy
     *     is deleted again
     */
    String copy(Path source, long from, long to, long endOffset) throws IOException {
        requireRoom(to - from);
        Path target = freeName(endOffset, "tail");
        StoreFile in = files.open(source, FileLayer.Mode.READ);
        try (in) {
            try (StoreFile out = files.open(target, FileLayer.Mode.CREATE_NEW);
                    Arena arena = Arena.ofConfined()) {
                MemorySegment chunk = arena.allocate(Math.min(to - from, Limits.RECOVERY_READ_BYTES));
                for (long at = from; at < to; ) {
                    int read = in.read(chunk.asSlice(0, Math.min(chunk.byteSize(), to - at)), at);
                    if (read <= 0) {
                        break;
                    }
                    out.write(chunk.asSlice(0, read), at - from);
                    at += read;
                }
                out.syncData();
            } catch (IOException e) {
                drop(target, e);
                throw e;
            }
        }
        files.syncDirectory(directory());
        return relative(target);
    }

    /** Files that are moved here take no room that they did not take before; copies do. */
    private void requireRoom(long bytes) throws IOException {
        long taken = 0;
        if (files.isDirectory(directory())) {
            for (Path file : files.list(directory())) {
                if (String.valueOf(file.getFileName()).endsWith(".tail")) {
                    taken += QuarantineDirectory.fileSize(files, file);
                }
            }
        }
        // One copy always fits: a single tail that is larger than the bound must not keep its partition away for good.
        if (taken > 0 && taken + bytes > copiesMaxBytes) {
            throw new QuarantineFullException("the quarantine holds " + (taken >> 20) + " MiB of copies, "
                    + (bytes >> 20) + " MiB more would be above its bound of "
                    + (copiesMaxBytes >> 20) + " MiB: remove what was looked at");
        }
    }

    /** What went wrong first is what counts; on a disk that is full of names there may be nothing to delete. */
    private void drop(Path target, IOException cause) {
        try {
            if (files.exists(target)) {
                files.delete(target);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Moves a whole file here.
     *
     * @return its new name, relative to the data directory
     */
    String move(Path file, long baseOffset) throws IOException {
        Path target = freeName(baseOffset, "log");
        files.rename(file, target);
        files.syncDirectory(directory());
        Path parent = file.getParent();
        if (parent != null) {
            files.syncDirectory(parent);
        }
        return relative(target);
    }

    /** Makes durable what was put aside so far, also by a recovery that was killed. */
    void settle() throws IOException {
        if (files.isDirectory(directory())) {
            files.syncDirectory(directory());
        }
    }

    private Path freeName(long offset, String kind) throws IOException {
        Path directory = directory();
        if (!files.isDirectory(directory)) {
            files.createDirectories(directory);
            files.syncDirectory(dataDir);
        }
        String name =
                String.format(Locale.ROOT, "%s-%020d", PartitionPaths.lifeName(spec.ref(), spec.incarnation()), offset);
        long taken = files.list(directory).stream()
                .filter(f -> String.valueOf(f.getFileName()).startsWith(name))
                .count();
        Path free = directory.resolve(name + "-" + (taken + 1) + "." + kind);
        while (files.exists(free)) {
            taken++;
            free = directory.resolve(name + "-" + (taken + 1) + "." + kind);
        }
        return free;
    }

    private Path directory() {
        return PartitionPaths.quarantine(dataDir);
    }

    private String relative(Path path) {
        return dataDir.relativize(path).toString().replace('\\', '/');
    }
}
