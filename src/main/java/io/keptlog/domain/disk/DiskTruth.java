// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.disk;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a look at the disk has shown (requirements D7). No software can prove that a device keeps what it has called synced; it can see
 * when that cannot be true.
 *
 * @param fileSystem for example ext4
 * @param writeCache what the device says of its cache, as the kernel shows it, or null
 * @param sync how long a small write and its sync take, or null when that could not be tried
 * @param directorySync whether names can be made durable
 * @param freeBytes −1 when it is not known
 * @param doubts worst first
 */
public record DiskTruth(
        Instant time,
        long tookMicros,
        String fileSystem,
        @Nullable String writeCache,
        @Nullable SyncLatency sync,
        boolean directorySync,
        long freeBytes,
        List<Doubt> doubts) {
    /** Whether `persisted` can mean what it says on this disk. */
    public enum Verdict {
        /** Nothing speaks against it. */
        PLAUSIBLE,
        /** Something does, or nothing could be seen. */
        DOUBTFUL,
        /** It cannot: everything is gone when the machine, or the container, is. */
        VOLATILE
    }

    public DiskTruth {
        doubts = List.copyOf(doubts);
    }

    public Verdict verdict() {
        return doubts.stream()
                .map(doubt -> doubt.code().verdict())
                .max(Verdict::compareTo)
                .orElse(Verdict.PLAUSIBLE);
    }
}
