// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.storage.QuarantineFiles;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.nio.file.Path;

/** The data directory's {@code quarantine/} as a whole. Deletes nothing by itself. Any thread. */
public final class QuarantineDirectory implements QuarantineFiles {
    private final FileLayer files;
    private final Path dataDir;
    private final Path directory;

    public QuarantineDirectory(FileLayer files, Path dataDir) {
        this.files = files;
        this.dataDir = dataDir;
        this.directory = PartitionPaths.quarantine(dataDir);
    }

    @Override
    public long sizeBytes() throws IOException {
        return files.isDirectory(directory) ? size(directory) : 0;
    }

    private long size(Path path) throws IOException {
        long size = 0;
        for (Path child : files.list(path)) {
            size += files.isDirectory(child) ? size(child) : fileSize(files, child);
        }
        return size;
    }

    static long fileSize(FileLayer files, Path file) throws IOException {
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            return in.size();
        }
    }

    @Override
    public boolean delete(String name) throws IOException {
        Path path = dataDir.resolve(name).normalize();
        if (!directory.equals(path.getParent()) || !files.exists(path)) {
            return false;
        }
        deleteTree(path);
        files.syncDirectory(directory);
        return true;
    }

    private void deleteTree(Path path) throws IOException {
        if (files.isDirectory(path)) {
            for (Path child : files.list(path)) {
                deleteTree(child);
            }
        }
        files.delete(path);
    }
}
