// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Limits;

/**
 * How the segment store works; the defaults fit a small server.
 *
 * @param flushAgeMillis unsynced messages are synced at this age at the latest (requirements A7)
 * @param syncThreads threads that sync, for all partitions together
 * @param slowSyncMillis a longer sync is warned about
 * @param mappedSegmentsMax segments mapped at once
 * @param recoveryThreads partitions recovered at once at the start
 */
public record SegmentStoreSettings(
        int flushAgeMillis, int syncThreads, int slowSyncMillis, int mappedSegmentsMax, int recoveryThreads) {
    public SegmentStoreSettings {
        if (flushAgeMillis < 1
                || syncThreads < 2
                || slowSyncMillis < 1
                || mappedSegmentsMax < 1
                || recoveryThreads < 1) {
            throw new IllegalArgumentException("segment store: flush age " + flushAgeMillis + " ms, sync threads "
                    + syncThreads + ", slow sync " + slowSyncMillis + " ms, mapped segments " + mappedSegmentsMax
                    + ", recovery threads " + recoveryThreads);
        }
    }

    public static SegmentStoreSettings defaults() {
        return new SegmentStoreSettings(
                Limits.FLUSH_AGE_DEFAULT_MILLIS,
                Limits.SYNC_THREADS,
                Limits.SLOW_SYNC_MILLIS,
                Limits.MAPPED_SEGMENTS_MAX,
                Limits.RECOVERY_THREADS);
    }

    public SegmentStoreSettings withFlushAgeMillis(int millis) {
        return new SegmentStoreSettings(millis, syncThreads, slowSyncMillis, mappedSegmentsMax, recoveryThreads);
    }

    public SegmentStoreSettings withMappedSegmentsMax(int segments) {
        return new SegmentStoreSettings(flushAgeMillis, syncThreads, slowSyncMillis, segments, recoveryThreads);
    }
}
