// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import java.util.ArrayList;
import java.util.List;

/** The segments of a log, oldest first, without holes. Immutable: readers take one and are not disturbed by rolls and deletions. */
record SegmentList(List<Segment> segments) {
    SegmentList {
        segments = List.copyOf(segments);
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    int size() {
        return segments.size();
    }

    Segment get(int i) {
        return segments.get(i);
    }

    SegmentList plus(Segment segment) {
        List<Segment> more = new ArrayList<>(segments.size() + 1);
        more.addAll(segments);
        more.add(segment);
        return new SegmentList(more);
    }

    SegmentList withoutFirst(int count) {
        return new SegmentList(segments.subList(count, segments.size()));
    }

    /** Number of the newest segment that begins at or before the offset; −1 when the offset is before all of them. */
    int floor(long offset) {
        int low = 0;
        int high = segments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (segments.get(middle).baseOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
