// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Gap;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.RemovalFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why the messages before a log's first offset are gone; known across restarts. Any thread. Read when it is first needed, written when it
 * changes; when that fails, retention is what is told after a restart.
 */
final class RemovalReason {
    private static final Logger LOG = LoggerFactory.getLogger(RemovalReason.class);

    private final FileLayer files;
    private final PartitionPaths paths;
    private final long incarnation;
    private volatile Gap.@Nullable Reason known;

    RemovalReason(FileLayer files, PartitionPaths paths, long incarnation) {
        this.files = files;
        this.paths = paths;
        this.incarnation = incarnation;
    }

    Gap.Reason reason() {
        Gap.Reason reason = known;
        if (reason == null) {
            reason = read();
            known = reason;
        }
        return reason;
    }

    private Gap.Reason read() {
        try {
            return RemovalFile.read(files, paths.removal(), incarnation);
        } catch (IOException e) {
            LOG.warn("{} cannot be read", paths.removal(), e);
            return Gap.Reason.RETENTION;
        }
    }

    /** Before readers can meet the gap. */
    void note(Gap.Reason reason) {
        if (reason() == reason) {
            return;
        }
        known = reason;
        try {
            RemovalFile.write(files, paths.removal(), incarnation, reason);
        } catch (IOException e) {
            LOG.warn("{} cannot be written", paths.removal(), e);
        }
    }
}
