// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.domain.Gap;
import io.keptlog.storage.frame.FrameChain;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the managed ledger's properties remember of frames that are trimmed: where the log began then, and where it ended, so that a log
 * without entries goes on at its old end and not at 0.
 */
record TrimmedTail(FrameChain chain, long firstOffset, Gap.Reason reason) {
    private static final String KEY = "keptlog-tail";

    static @Nullable TrimmedTail from(Map<String, String> properties) {
        String text = properties.get(KEY);
        if (text == null) {
            return null;
        }
        String[] parts = text.split(",", -1);
        return new TrimmedTail(
                new FrameChain(
                        Long.parseLong(parts[0]),
                        Integer.parseInt(parts[1]),
                        Long.parseLong(parts[2]),
                        Long.parseLong(parts[3])),
                Long.parseLong(parts[4]),
                Gap.Reason.valueOf(parts[5]));
    }

    Map<String, String> properties() {
        return Map.of(
                KEY,
                chain.endOffset() + "," + chain.lastHeaderCrc() + "," + chain.epoch() + ","
                        + chain.lastAppendTimeMicros() + "," + firstOffset + "," + reason);
    }
}
