// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is known of one consumer's offset, which its only writer moves forward and never back. One writer; readers ask before and check
 * after.
 */
final class KnownOffsets {
    static final long NONE = -1;
    /** Longer than a broker is ever frozen, and the write's own time. */
    private static final long LATE_NANOS = 40_000_000_000L;

    private final Known known;
    private final String what;
    private final AtomicLong confirmed = new AtomicLong(NONE);
    private final AtomicLong attempted = new AtomicLong(NONE);
    /** Values whose outcome is not known → until when a broker that was frozen may still come to them. */
    private final Map<Long, Long> late = new ConcurrentHashMap<>();

    KnownOffsets(Known known, String what) {
        this.known = known;
        this.what = what;
    }

    void attempt(long offset) {
        attempted.set(offset);
    }

    void confirm(long offset) {
        confirmed.set(offset);
    }

    /** Its answer never came: the write may take effect later, over one that was made after it. */
    void unknown(long offset) {
        late.put(offset, System.nanoTime() + LATE_NANOS);
    }

    private boolean mayBeLate(long told) {
        Long until = late.get(told);
        return until != null && System.nanoTime() < until;
    }

    long attempted() {
        return attempted.get();
    }

    long confirmed() {
        return confirmed.get();
    }

    /**
     * @param before what was confirmed when the question was asked
     * @param told the answer, or {@link #NONE}
     */
    void read(long before, long told) {
        known.checks.incrementAndGet();
        if (told < before && !mayBeLate(told)) {
            known.violation("offset of " + what + " went back: " + before + " was confirmed, then it was " + told);
        }
        if (told > attempted.get()) {
            known.violation(
                    "offset of " + what + " invented: " + told + ", at most " + attempted.get() + " was stored");
        }
    }
}
