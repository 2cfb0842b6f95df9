// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import io.keptlog.domain.Limits;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Disk space kept for a full disk: deletes and compaction of the journals take it when nothing else is left, so that a full disk can be
 * emptied. Safe for any number of threads. A crash leaves it whole, short or away; the next {@link #restore} completes it.
 */
public final class ReserveFile {
    private final FileLayer files;
    private final Path file;
    private boolean whole;

    ReserveFile(FileLayer files, Path file) {
        this.files = files;
        this.file = file;
    }

    /**
     * Gives the space free.
     *
     * @return whether there was any
     */
    public synchronized boolean release() throws IOException {
        whole = false;
        if (!files.exists(file)) {
            return false;
        }
        try (StoreFile reserve = files.open(file, FileLayer.Mode.READ_WRITE)) {
            if (reserve.size() == 0) {
                return false;
            }
            reserve.truncate(0);
            // A file system may give blocks away again only when their release is durable.
            reserve.syncData();
            return true;
        }
    }

    /**
     * Takes the space back when there is plenty: at least three times as much. One comparison once the reserve has its full size.
     *
     * @return whether the reserve is as large as it can be now
     */
    public synchronized boolean restore() throws IOException {
        if (whole) {
            return true;
        }
        Path directory = java.util.Objects.requireNonNull(file.toAbsolutePath().getParent());
        long usable = files.usableBytes(directory);
        long target = Math.min(Limits.RESERVE_BYTES, usable / 100 / 4096 * 4096);
        boolean exists = files.exists(file);
        try (StoreFile reserve = files.open(file, exists ? FileLayer.Mode.READ_WRITE : FileLayer.Mode.CREATE_NEW)) {
            long size = reserve.size();
            if (size < target && usable >= 3 * target) {
                reserve.allocate(0, target);
                reserve.syncData();
                size = target;
            }
            // On a small or full disk it may grow later, so that only the full size ends the looking.
            whole = size >= Limits.RESERVE_BYTES;
            return size > 0 && size >= target;
        } catch (NoSpaceException e) {
            // The reserve itself must not take the last blocks: given back, tried again later.
            release();
            return false;
        }
    }
}
