// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config.snapshot;

import io.keptlog.domain.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.stream.Stream;

/** The data directory's files by name, size in bytes and time, never their content; and the file system they are on. Keeps no state. */
final class DiskLayout {
    private final Path root;

    DiskLayout(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    void write(Writer out) throws IOException {
        FileStore store = Files.getFileStore(root);
        out.append("data directory ").append(root.toString()).append('\n');
        out.append("file system ").append(store.type()).append(" on ").append(store.name());
        out.append(", ").append(Long.toString(store.getUsableSpace())).append(" of ");
        out.append(Long.toString(store.getTotalSpace())).append(" bytes free\n\n");
        try (Stream<Path> files = Files.walk(root)) {
            int lines = 0;
            for (Iterator<Path> all = files.iterator(); all.hasNext(); lines++) {
                Path file = all.next();
                if (lines == Limits.SNAPSHOT_FILES_MAX) {
                    out.append("... and more\n");
                    return;
                }
                line(file, out);
            }
        } catch (UncheckedIOException e) {
            // A directory that was removed meanwhile, or that may not be read: what is known so far is of use.
            out.append("the walk ended here: ")
                    .append(String.valueOf(e.getMessage()))
                    .append('\n');
        }
    }

    private void line(Path file, Writer out) throws IOException {
        try {
            var attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, java.nio.file.LinkOption.NOFOLLOW_LINKS);
            out.append(String.format("%14d", attributes.isDirectory() ? 0 : attributes.size()));
            out.append("  ").append(attributes.lastModifiedTime().toString()).append("  ");
            out.append(root.relativize(file).toString());
            out.append(attributes.isDirectory() ? "/\n" : "\n");
        } catch (NoSuchFileException e) {
            // Deleted between the listing and the look.
            out.append("             -  gone  ")
                    .append(root.relativize(file).toString())
                    .append('\n');
        }
    }
}
