// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The directories of partitions: made aside, put in place, moved to the trash. Every name it makes is on stable storage when the method
 * returns.
 * <p>Not two calls for one partition at the same time. A crash leaves a partition aside or in place, never half, because a place is taken
 * by a rename. An exception leaves at worst files that the next start finds and clears.
 */
final class PartitionPlaces {
    /** A new partition costs this much and its checkpoint: below 64 KiB together. */
    static final long FRESH_SEGMENT_BYTES = 32 << 10;

    private final Path dataDir;
    private final FileLayer files;
    private final AtomicLong trashNumbers = new AtomicLong();
    /** Directories above partitions whose names this process has synced. */
    private final Set<Path> settled = ConcurrentHashMap.newKeySet();

    PartitionPlaces(Path dataDir, FileLayer files) {
        this.dataDir = dataDir;
        this.files = files;
    }

    PartitionPaths inPlace(PartitionRef ref) {
        return PartitionPaths.inPlace(dataDir, ref);
    }

    PartitionPaths fresh(PartitionSpec spec) {
        return PartitionPaths.fresh(dataDir, spec);
    }

    /** Makes the partition's files aside. What an earlier try left is replaced. */
    void makeFresh(PartitionSpec spec, long createdMicros) throws IOException {
        PartitionPaths paths = fresh(spec);
        deleteTree(paths.directory());
        makeDirectories(parent(paths.directory()));
        files.createDirectories(paths.directory());
        files.syncDirectory(parent(paths.directory()));
        makeFirstSegment(paths.log(0), spec, createdMicros);
        CheckpointFile.create(files, paths.checkpoint(), Checkpoint.beginning(spec.incarnation()));
        files.syncDirectory(paths.directory());
    }

    private void makeFirstSegment(Path path, PartitionSpec spec, long createdMicros) throws IOException {
        LogOptions options = spec.options();
        long length = options.preallocateSegments()
                ? LogRoller.limit(options)
                : Math.min(FRESH_SEGMENT_BYTES, LogRoller.limit(options));
        try (StoreFile file = files.open(path, FileLayer.Mode.CREATE_NEW);
                Arena arena = Arena.ofConfined()) {
            file.allocate(0, length);
            if (options.durability() == Durability.PERSISTED) {
                file.write(SegmentSpace.ZEROS.asSlice(0, Math.min(length, FRESH_SEGMENT_BYTES)), 0);
            }
            MemorySegment block = arena.allocate(SegmentHeader.BYTES);
            new SegmentHeader(spec.ref(), spec.incarnation(), 0, createdMicros).write(block);
            file.write(block, 0);
            file.syncData();
        }
    }

    /**
     * Directories and those above them, each name synced: also names that were there already, once in each start. A process that was killed
     * between making and syncing them leaves names that only the page cache has.
     */
    void makeDirectories(Path directory) throws IOException {
        List<Path> unsure = new ArrayList<>();
        for (Path at = directory;
                at != null && !at.equals(dataDir) && !(settled.contains(at) && files.exists(at));
                at = at.getParent()) {
            unsure.add(at);
        }
        if (unsure.isEmpty()) {
            return;
        }
        files.createDirectories(directory);
        for (int i = unsure.size() - 1; i >= 0; i--) {
            files.syncDirectory(parent(unsure.get(i)));
            settled.add(unsure.get(i));
        }
    }

    /** What was made aside for a life that is deleted. */
    void deleteFresh(Removal removal) throws IOException {
        deleteTree(dataDir.resolve("fresh").resolve(PartitionPaths.lifeName(removal.ref(), removal.incarnation())));
    }

    boolean isFresh(PartitionSpec spec) {
        return files.exists(fresh(spec).directory());
    }

    /** Renames what was made aside to its place, which must be free. */
    void putInPlace(PartitionSpec spec) throws IOException {
        Path from = fresh(spec).directory();
        Path to = inPlace(spec.ref()).directory();
        makeDirectories(parent(to));
        files.rename(from, to);
        files.syncDirectory(parent(to));
        files.syncDirectory(parent(from));
    }

    /**
     * Takes the directory away: after this it is never found in its place again. Its files are deleted as far as that works now. On a disk
     * that is too full for the trash they are deleted where they lie; a crash in between leaves files of a life that is known as deleted.
     */
    void moveToTrash(Path directory) throws IOException {
        Path trash = PartitionPaths.trash(dataDir);
        if (!hasTrash(trash)) {
            deleteTree(directory);
            files.syncDirectory(parent(directory));
            return;
        }
        Path target = free(trash, String.valueOf(directory.getFileName()));
        files.rename(directory, target);
        files.syncDirectory(parent(directory));
        deleteTree(target);
    }

    /** Takes away a directory and those above it as long as they hold nothing; not the data directory's own {@code streams}. */
    void removeEmpty(Path directory) throws IOException {
        Path top = dataDir.resolve("streams");
        for (Path at = directory; !at.equals(top); at = parent(at)) {
            if (files.exists(at)) {
                if (!files.list(at).isEmpty()) {
                    return;
                }
                files.delete(at);
            }
        }
    }

    /** Puts the directory aside, kept. */
    Path moveToQuarantine(Path directory, String name) throws IOException {
        Path quarantine = PartitionPaths.quarantine(dataDir);
        makeDirectories(quarantine);
        Path target = free(quarantine, name);
        files.rename(directory, target);
        files.syncDirectory(quarantine);
        files.syncDirectory(parent(directory));
        return target;
    }

    private Path free(Path directory, String name) {
        Path target = directory.resolve(name);
        while (files.exists(target)) {
            target = directory.resolve(name + "." + trashNumbers.incrementAndGet());
        }
        return target;
    }

    /** Deletes what an earlier run left in the trash, and makes the trash now: later the disk may be too full for a directory. */
    void emptyTrash() throws IOException {
        Path trash = PartitionPaths.trash(dataDir);
        if (hasTrash(trash)) {
            for (Path one : files.list(trash)) {
                deleteTree(one);
            }
        }
    }

    private boolean hasTrash(Path trash) throws IOException {
        try {
            makeDirectories(trash);
            return true;
        } catch (NoSpaceException e) {
            return false;
        }
    }

    /** Random numbers of the lives whose files lie here, as segment headers and checkpoint say; empty when nothing can be read. */
    Set<Long> livesIn(PartitionPaths paths) throws IOException {
        Set<Long> lives = new HashSet<>();
        if (!files.isDirectory(paths.directory())) {
            return lives;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(SegmentHeader.BYTES);
            for (Path file : files.list(paths.directory())) {
                if (PartitionPaths.logBase(file).isPresent()) {
                    try (StoreFile opened = files.open(file, FileLayer.Mode.READ)) {
                        SegmentHeader header =
                                opened.read(block, 0) < SegmentHeader.BYTES ? null : SegmentHeader.read(block);
                        if (header != null) {
                            lives.add(header.incarnation());
                        }
                    }
                }
            }
        }
        return lives;
    }

    /** Whether any segment here holds more than its header: zeros behind it are no frame. */
    boolean holdsFrames(PartitionPaths paths) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(SegmentHeader.BYTES);
            for (Path file : files.list(paths.directory())) {
                if (PartitionPaths.logBase(file).isEmpty()) {
                    continue;
                }
                try (StoreFile opened = files.open(file, FileLayer.Mode.READ)) {
                    int got = opened.read(block, SegmentHeader.FIRST_FRAME_POSITION);
                    if (block.asSlice(0, got).mismatch(SegmentSpace.ZEROS.asSlice(0, got)) >= 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    void deleteTree(Path path) throws IOException {
        if (!files.exists(path)) {
            return;
        }
        if (files.isDirectory(path)) {
            for (Path child : files.list(path)) {
                deleteTree(child);
            }
        }
        files.delete(path);
    }

    FileLayer files() {
        return files;
    }

    Path dataDir() {
        return dataDir;
    }

    private static Path parent(Path path) {
        return java.util.Objects.requireNonNull(path.getParent(), "a path inside the data directory");
    }
}
