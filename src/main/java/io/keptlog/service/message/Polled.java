// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.Gap;
import io.keptlog.domain.message.Slice;
import org.jspecify.annotations.Nullable;

/**
 * A poll's answer. Pins memory until it is closed; whoever received it closes it. Not thread-safe.
 *
 * @param currentOffset offset of the newest visible message, 0 when there never was one
 * @param gap set when the start that the client named is no longer there
 */
public record Polled(int partitionId, Slice slice, long currentOffset, @Nullable Gap gap) implements AutoCloseable {
    @Override
    public void close() {
        slice.close();
    }
}
