// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Damages the files of a partition on any file layer. */
public final class DamagedLog {
    private final FileLayer files;
    public final PartitionPaths paths;

    public DamagedLog(FileLayer files, Path root, PartitionSpec spec) {
        this.files = files;
        this.paths = PartitionPaths.inPlace(root, spec.ref());
    }

    /** Segments, oldest first. */
    public List<Path> segments() throws IOException {
        return files.list(paths.directory()).stream()
                .filter(path -> PartitionPaths.logBase(path).isPresent())
                .toList();
    }

    public byte[] content(Path file) throws IOException {
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(in.size())]);
            int unused = in.read(bytes, 0);
            return bytes.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    public void write(Path file, long at, byte[] bytes) throws IOException {
        try (StoreFile out = files.open(file, FileLayer.Mode.READ_WRITE)) {
            out.write(MemorySegment.ofArray(bytes), at);
            out.syncData();
        }
    }

    /** Flips a bit of a byte that is in use. */
    public void flip(Path file, Random random) throws IOException {
        byte[] content = content(file);
        int used = content.length;
        while (content[used - 1] == 0) {
            used--;
        }
        int at = 4096 + random.nextInt(used - 4096);
        write(file, at, new byte[] {(byte) (content[at] ^ (1 << random.nextInt(8)))});
    }

    public void delete(Path file) throws IOException {
        files.delete(file);
        files.syncDirectory(paths.directory());
    }
}
