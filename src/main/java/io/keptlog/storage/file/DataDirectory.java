// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The directory that holds everything: one process at a time, one known format, and a number that grows with every start. Opened before
 * anything else is read. Safe for any number of threads. Opening again after a crash at any point works; throws
 * {@link DataDirectoryException} with one line when the directory cannot be used, and then nothing but an empty lock file was made.
 */
public final class DataDirectory implements AutoCloseable {
    /** What a first start may find: its own leavings, and what a file system puts into its root. */
    private static final Set<String> OF_FIRST_START =
            Set.of("lock", "epoch", "format.tmp", "reserve", "secret", "lost+found");

    private final FileLayer files;
    private final Path root;
    private final Closeable lock;
    private final FormatFile format;
    private final EpochFile epochFile;
    private final ReserveFile reserve;
    private final List<String> damage = new ArrayList<>();
    private long epoch;

    private DataDirectory(FileLayer files, Path root, Closeable lock) {
        this.files = files;
        this.root = root;
        this.lock = lock;
        this.format = new FormatFile(files, root.resolve("format"));
        this.epochFile = new EpochFile(files, root.resolve("epoch"));
        this.reserve = new ReserveFile(files, root.resolve("reserve"));
    }

    /**
     * Opens the directory, or makes it.
     *
     * @param clock where a new epoch begins when the old one is not readable any more
     */
    public static DataDirectory open(FileLayer files, Path directory, InstantSource clock) {
        Path root = directory.toAbsolutePath().normalize();
        try {
            DurableFiles.createDirectories(files, root);
            Closeable lock = files.lock(root.resolve("lock"));
            if (lock == null) {
                throw new DataDirectoryException("data directory " + root + " is in use by another process: stop that"
                        + " one, or give this one a directory of its own (keptlog.data-dir, KEPTLOG_DATA_DIR)");
            }
            return opened(new DataDirectory(files, root, lock), clock);
        } catch (NoSpaceException e) {
            throw new DataDirectoryException("data directory " + root + ": the disk is full", e);
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new DataDirectoryException("data directory " + root + " cannot be used: " + reason(e), e);
        }
    }

    private static DataDirectory opened(DataDirectory data, InstantSource clock) throws IOException {
        try {
            data.start(clock);
            return data;
        } catch (IOException | RuntimeException | Error e) {
            try {
                data.close();
            } catch (RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e instanceof java.io.UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        return switch (cause) {
            case java.nio.file.AccessDeniedException ignored -> "it is not writable for this user";
            case java.nio.file.FileAlreadyExistsException ignored -> "a file is in the way";
            case java.nio.file.NotDirectoryException ignored -> "a file is in the way";
            default -> String.valueOf(cause.getMessage());
        };
    }

    private void start(InstantSource clock) throws IOException {
        boolean first = !format.exists();
        if (first) {
            refuseForeignContent();
        } else {
            format.read(root);
        }
        OptionalLong before = epochFile.read();
        if (before.isEmpty() && !first) {
            damage.add(
                    "the epoch file is missing or damaged; a new epoch begins above any that starts could have reached");
        }
        // Seconds since 1970 are larger than any number of starts, and grow from one such damage to the next.
        long next = before.isPresent()
                ? before.getAsLong() + 1
                : first ? 1 : Math.max(1, clock.instant().getEpochSecond());
        epochFile.write(next);
        epoch = next;
        if (first) {
            format.create();
        }
        reserve.restore();
    }

    private void refuseForeignContent() throws IOException {
        for (Path path : files.list(root)) {
            String name = String.valueOf(path.getFileName());
            if (!OF_FIRST_START.contains(name)) {
                throw new DataDirectoryException("data directory " + root + " has no format file but contains " + name
                        + "; it is not a data directory, or its format file was lost");
            }
        }
    }

    public Path root() {
        return root;
    }

    public FileLayer files() {
        return files;
    }

    public Path resolve(String part) {
        return root.resolve(part);
    }

    /** The number of this start: durable, larger than that of every start before. */
    public synchronized long epoch() {
        return epoch;
    }

    /**
     * Recovery met this number (a directory put together from backups): the epoch becomes larger, durably.
     *
     * @return the epoch from now on
     */
    public synchronized long raiseEpochAbove(long seen) throws IOException {
        if (seen >= epoch) {
            epochFile.write(seen + 1);
            epoch = seen + 1;
        }
        return epoch;
    }

    /** Whether this part was made before: when it is not there now, it was lost. */
    public boolean made(String part) {
        return format.made(part);
    }

    /** Remembers durably that the part was made, after it was. */
    public void markMade(String part) throws IOException {
        format.markMade(part);
    }

    public ReserveFile reserve() {
        return reserve;
    }

    /** What was wrong and was repaired while opening, one sentence each, for the recovery reports. */
    public List<String> damage() {
        return List.copyOf(damage);
    }

    /** Lets another process in. Nothing may be written after it. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new DataDirectoryException("data directory " + root + ": lock not released: " + e.getMessage(), e);
        }
    }
}
