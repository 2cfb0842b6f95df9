// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import io.keptlog.domain.Gap;
import io.keptlog.domain.message.Slice;
import org.jspecify.annotations.Nullable;

/**
 * What a poll's reply says besides its messages.
 *
 * @param currentOffset unsigned; offset of the newest visible message, 0 when there never was one
 * @param gap written only when there is one
 * @param epoch the partition's epoch, so that a reader that resumes can tell what a recovery cut
 */
public record PollReply(int partitionId, long currentOffset, @Nullable Gap gap, long epoch) {
    public static PollReply of(int partitionId, long currentOffset, Slice slice) {
        return new PollReply(partitionId, currentOffset, slice.gap(), slice.epoch());
    }
}
