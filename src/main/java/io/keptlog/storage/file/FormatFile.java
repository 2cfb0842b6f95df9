// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The file {@code format}: the version of the directory's layout as a decimal number on the first line, then the name of each part that
 * was made, one a line, sorted. A part that is named here and is not there was lost, which is not the same as a first start. Replaced as
 * a whole, so a crash leaves the old or the new text.
 */
final class FormatFile {
    static final int VERSION = 1;
    private static final int MAX_BYTES = 4096;
    private static final Pattern LINES = Pattern.compile("[0-9]{1,9}\n([a-z]+\n)*");

    private final FileLayer files;
    private final Path file;
    private final SortedSet<String> made = new TreeSet<>();

    FormatFile(FileLayer files, Path file) {
        this.files = files;
        this.file = file;
    }

    boolean exists() {
        return files.exists(file);
    }

    void read(Path directory) throws IOException {
        String text = new String(DurableFiles.read(files, file, MAX_BYTES), US_ASCII);
        if (!LINES.matcher(text).matches()) {
            throw new DataDirectoryException("data directory " + directory
                    + ": the format file is damaged; restore it from a backup or repair it (version " + VERSION
                    + " is this program's)");
        }
        List<String> lines = Arrays.asList(text.split("\n"));
        int version = Integer.parseInt(lines.getFirst());
        if (version > VERSION) {
            throw new DataDirectoryException("data directory " + directory + " has format " + version
                    + ", which is newer than this program's " + VERSION + "; use the program that wrote it");
        }
        if (version < VERSION) {
            throw new DataDirectoryException("data directory " + directory + " has the older format " + version
                    + "; make a backup, then run: keptlog convert --data-dir " + directory);
        }
        made.addAll(lines.subList(1, lines.size()));
    }

    synchronized boolean made(String part) {
        return made.contains(part);
    }

    synchronized void markMade(String part) throws IOException {
        if (!part.matches("[a-z]+")) {
            throw new IllegalArgumentException("part " + part);
        }
        if (made.contains(part)) {
            return;
        }
        var next = new TreeSet<>(made);
        next.add(part);
        write(next);
        made.add(part);
    }

    synchronized void create() throws IOException {
        write(made);
    }

    private void write(SortedSet<String> parts) throws IOException {
        var text = new StringBuilder().append(VERSION).append('\n');
        parts.forEach(p -> text.append(p).append('\n'));
        DurableFiles.replace(files, file, text.toString().getBytes(US_ASCII));
    }
}
