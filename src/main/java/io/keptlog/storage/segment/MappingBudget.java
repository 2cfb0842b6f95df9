// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the number of mapped segments below a limit (the system allows 65,530 mappings of a process by default): when one more is mapped,
 * those that were not read for the longest time are unmapped. Any thread. Pinned ones stay until they are unpinned, so the limit may be
 * passed by as many as are being read.
 */
final class MappingBudget {
    private final int segmentsMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashSet<MappedSegment> mapped = new LinkedHashSet<>();

    MappingBudget(int segmentsMax) {
        if (segmentsMax < 1) {
            throw new IllegalArgumentException("mapped segments " + segmentsMax);
        }
        this.segmentsMax = segmentsMax;
    }

    void mapped(MappedSegment segment) {
        List<MappedSegment> idle = new ArrayList<>();
        lock.lock();
        try {
            mapped.add(segment);
            // One round at most: a segment that was read since the last round gets a second chance.
            for (int looks = mapped.size(); mapped.size() > segmentsMax && looks > 0; looks--) {
                Iterator<MappedSegment> oldest = mapped.iterator();
                MappedSegment candidate = oldest.next();
                oldest.remove();
                if (candidate == segment || (candidate.takeUsed() && looks > 1)) {
                    mapped.add(candidate);
                } else {
                    idle.add(candidate);
                }
            }
        } finally {
            lock.unlock();
        }
        idle.forEach(MappedSegment::unmap);
    }

    void forget(MappedSegment segment) {
        lock.lock();
        try {
            mapped.remove(segment);
        } finally {
            lock.unlock();
        }
    }

    int mappedSegments() {
        lock.lock();
        try {
            return mapped.size();
        } finally {
            lock.unlock();
        }
    }
}
