// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many copies there really are, as the bookies say.
 *
 * @param entries asked for
 * @param ranges oldest first
 * @param next where to go on; null when everything that is old enough to be judged was asked for
 */
public record DepthReport(long entries, List<DepthRange> ranges, @Nullable EntryPlace next) {
    public List<DepthRange> notFull() {
        return ranges.stream().filter(r -> r.depth() != DepthRange.Depth.FULL).toList();
    }
}
