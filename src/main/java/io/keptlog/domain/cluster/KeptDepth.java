// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import io.keptlog.domain.Limits;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a partition knows of its copies without asking anew.
 *
 * @param guaranteed whether what is missing is completed in the background
 * @param counts of everything that was looked at
 * @param ranges with fewer than Qw copies when they were looked at last, oldest first, at most {@link Limits#DEPTH_KEPT_RANGES_MAX}
 * @param failures why the last attempt did not complete them, in words
 * @param written copies that were written again since the partition was opened here
 * @param lookedAt when a look was last finished; null before the first
 */
public record KeptDepth(
        boolean guaranteed,
        DepthCounts counts,
        List<DepthRange> ranges,
        List<String> failures,
        long written,
        @Nullable Instant lookedAt) {
    public static final KeptDepth NOTHING = new KeptDepth(false, DepthCounts.NONE, List.of(), List.of(), 0, null);

    public KeptDepth {
        ranges = List.copyOf(ranges.subList(0, Math.min(ranges.size(), Limits.DEPTH_KEPT_RANGES_MAX)));
        failures = List.copyOf(failures);
    }
}
