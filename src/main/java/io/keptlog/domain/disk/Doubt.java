// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.disk;

import io.keptlog.domain.disk.DiskTruth.Verdict;
import java.util.Locale;

/** A reason to doubt what a disk says. */
public record Doubt(Code code, String reason) {
    /** What kind of reason. */
    public enum Code {
        /** A file system in memory. */
        VOLATILE_FILE_SYSTEM(Verdict.VOLATILE),
        /** The writable layer of a container: it goes with the container. */
        CONTAINER_LAYER(Verdict.VOLATILE),
        /** No device answers so soon. */
        SYNC_TOO_FAST(Verdict.DOUBTFUL),
        /** Mounted so that the device is not asked to empty its cache. */
        BARRIERS_OFF(Verdict.DOUBTFUL),
        /** Another machine, or another program, decides what a sync means. */
        REMOTE_FILE_SYSTEM(Verdict.DOUBTFUL),
        /** The system has no call that makes names durable. */
        NO_DIRECTORY_SYNC(Verdict.DOUBTFUL),
        /** It could not be tried. */
        NOT_TRIED(Verdict.DOUBTFUL),
        /** Each acknowledgement waits for this. */
        SYNC_SLOW(Verdict.PLAUSIBLE),
        /** Soon nothing can be written. */
        LITTLE_SPACE(Verdict.PLAUSIBLE);

        private final Verdict verdict;

        Code(Verdict verdict) {
            this.verdict = verdict;
        }

        Verdict verdict() {
            return verdict;
        }

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
