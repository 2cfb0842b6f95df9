// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps on files that are on stable storage when they return, in the one order in which a crash between any two leaves old or new. */
public final class DurableFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DurableFiles.class);

    private DurableFiles() {}

    /**
     * Makes the directory and its missing ancestors, and their names durable. The name of a directory that is there already is synced as
     * well: a start that was killed right after making it leaves a name that only the page cache has.
     */
    public static void createDirectories(FileLayer files, Path directory) throws IOException {
        var missing = new ArrayDeque<Path>();
        for (Path at = directory.toAbsolutePath(); at != null && !files.exists(at); at = at.getParent()) {
            missing.push(at);
        }
        files.createDirectories(directory);
        for (Path made : missing) {
            syncParent(files, made);
        }
        if (missing.isEmpty()) {
            try {
                syncParent(files, directory.toAbsolutePath());
            } catch (AccessDeniedException e) {
                LOG.debug("The directory above {} cannot be opened, so it was made by somebody else", directory, e);
            }
        }
    }

    private static void syncParent(FileLayer files, Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            files.syncDirectory(parent);
        }
    }

    /**
     * Gives the file this content, whole or not at all: a new file beside it, synced, renamed over it, the directory synced. A file
     * {@code NAME.tmp} may be left by a crash; the next call replaces it.
     */
    public static void replace(FileLayer files, Path file, byte[] content) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException("no file: " + file);
        }
        Path temporary = parent.resolve(file.getFileName() + ".tmp");
        if (files.exists(temporary)) {
            files.delete(temporary);
        }
        try (StoreFile out = files.open(temporary, FileLayer.Mode.CREATE_NEW)) {
            out.write(MemorySegment.ofArray(content), 0);
            out.syncData();
        }
        files.rename(temporary, file);
        files.syncDirectory(parent);
    }

    /** The whole file; for small ones. */
    public static byte[] read(FileLayer files, Path file, int maxBytes) throws IOException {
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            byte[] bytes = new byte[(int) Math.min(maxBytes, in.size())];
            int got = in.read(MemorySegment.ofArray(bytes), 0);
            return java.util.Arrays.copyOf(bytes, got);
        }
    }
}
