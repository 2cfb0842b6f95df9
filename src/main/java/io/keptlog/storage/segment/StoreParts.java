// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.cold.ColdReads;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameScratch;
import io.keptlog.storage.sync.SyncPool;
import java.time.InstantSource;

/**
 * What all logs of one store share.
 *
 * @param clock append times; a clock that goes back does not take them back
 */
record StoreParts(
        FileLayer files,
        InstantSource clock,
        StoreObserver observer,
        SyncPool syncs,
        SegmentPreparer preparer,
        MappingBudget mappings,
        ColdReads coldReads,
        FrameScratch scratch) {
    static StoreParts of(StoreEnvironment environment, SegmentStoreSettings settings) {
        return new StoreParts(
                environment.files(),
                environment.clock(),
                environment.observer(),
                new SyncPool(
                        settings.syncThreads(),
                        environment.threads(),
                        settings.slowSyncMillis(),
                        environment.observer()),
                new SegmentPreparer(environment.threads()),
                new MappingBudget(settings.mappedSegmentsMax()),
                new ColdReads(environment.threads()),
                new FrameScratch());
    }

    long nowMicros() {
        var now = clock.instant();
        return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000L), now.getNano() / 1_000);
    }
}
