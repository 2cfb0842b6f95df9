// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.retention;

import io.keptlog.domain.Gap;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.ServiceObserver;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes a partition's oldest sealed segments, as far as its consumers let it: a segment that holds a message beyond the lowest stored
 * offset is still needed and stays; without stored offsets nothing holds it (Iggy topic options). The active segment always stays.
 * Keeps no state; each deletion is logged and counted.
 */
final class SegmentPruner {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPruner.class);

    private final OffsetStore offsets;
    private final ServiceObserver observer;

    SegmentPruner(OffsetStore offsets, ServiceObserver observer) {
        this.offsets = offsets;
        this.observer = observer;
    }

    /**
     * Deletes sealed segments that end at or before the offset and that no consumer still needs.
     *
     * @param endOffset exclusive
     * @param why one clause for the log, for example {@code "older than 60000000 µs"}
     */
    void prune(PartitionLog log, long endOffset, Gap.Reason reason, String why) {
        List<SealedSegment> gone = log.deleteSegments(Math.min(endOffset, consumedEnd(log.spec())), reason);
        if (gone.isEmpty()) {
            return;
        }
        long bytes = gone.stream().mapToLong(SealedSegment::sizeBytes).sum();
        observer.segmentsDeleted(reason, gone.size(), bytes);
        LOG.info(
                "partition {}: {} deleted {} segments, offsets {} to {}, {} bytes ({})",
                log.spec().ref(),
                reason.name().toLowerCase(Locale.ROOT),
                gone.size(),
                gone.getFirst().baseOffset(),
                gone.getLast().endOffset() - 1,
                bytes,
                why);
    }

    /** Everything before this was consumed by all who store offsets. */
    private long consumedEnd(PartitionSpec partition) {
        return offsets.list(partition).stream()
                .mapToLong(o -> o.offset() + 1)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
