// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What both layers over a real operating system ask in the same way; none of these calls reacts to an interrupt. */
abstract class SystemFiles implements FileLayer {
    @Override
    public boolean exists(Path path) {
        return attributes(path) != null;
    }

    @Override
    public boolean isDirectory(Path path) {
        BasicFileAttributes attributes = attributes(path);
        return attributes != null && attributes.isDirectory();
    }

    /** Null only when it is certain that there is nothing: a disk error must not look like an empty place. */
    private static @Nullable BasicFileAttributes attributes(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        var names = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(directory)) {
            entries.forEach(names::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public long usableBytes(Path path) throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    @Override
    public @Nullable Closeable lock(Path file) throws IOException {
        return Undisturbed.run(() -> takeLock(file));
    }

    private static @Nullable FileChannel takeLock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException thisProcessHasIt) {
            channel.close();
            return null;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }
}
