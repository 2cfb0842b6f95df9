// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.live;

import io.keptlog.domain.Gap;
import io.keptlog.domain.Limits;
import io.keptlog.service.message.PollRequest;
import io.keptlog.service.message.PollService;
import io.keptlog.service.message.Polled;
import org.jspecify.annotations.Nullable;

/**
 * How far one live reader has come in one life of a partition. Used by one thread; {@link #wake} by any. Holds nothing while nothing is
 * there to read. Throws what a poll throws; PARTITION_NOT_FOUND when that life is over.
 */
public final class LiveCursor implements AutoCloseable {
    private final LiveReads reads;
    private final Vigil vigil;
    private final PollRequest request;
    private PollService.Place place;
    private long nextOffset;
    private @Nullable Gap lost;

    LiveCursor(
            LiveReads reads,
            Vigil vigil,
            PollRequest request,
            PollService.Place place,
            long nextOffset,
            @Nullable Gap lost) {
        this.reads = reads;
        this.vigil = vigil;
        this.request = request;
        this.place = place;
        this.nextOffset = nextOffset;
        this.lost = lost;
    }

    /** What comes next, possibly nothing: then the next change of the log ends the next {@link #sleep}. Whoever takes it closes it. */
    public Polled next() {
        place = reads.now(place);
        vigil.over(place.log(), request.visibility());
        Polled polled = poll();
        if (polled.slice().count() == 0 && polled.gap() == null) {
            polled.close();
            vigil.arm();
            polled = poll();
        }
        Gap gap = polled.gap();
        // Behind what was removed, also when nothing is left there.
        nextOffset = Math.max(
                gap == null ? nextOffset : gap.toOffset(), polled.slice().nextOffset());
        if (lost != null) {
            // What a recovery took is told once, with what is there now under the same numbers.
            Gap all = gap == null
                    ? lost
                    : new Gap(lost.fromOffset(), Math.max(lost.toOffset(), gap.toOffset()), lost.reason());
            polled = new Polled(polled.partitionId(), polled.slice(), polled.currentOffset(), all);
            lost = null;
        }
        return polled;
    }

    private Polled poll() {
        return reads.polls()
                .poll(
                        request.from(
                                nextOffset, Limits.LIVE_BATCH_MESSAGES, Limits.LIVE_BATCH_BYTES, PollRequest.NO_EPOCH),
                        place);
    }

    /** Of the message that comes next. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Until there may be more, at most so long. */
    public void sleep(long nanos) {
        vigil.sleep(nanos);
    }

    public void wake() {
        vigil.wake();
    }

    public boolean isStopping() {
        return vigil.isStopping();
    }

    @Override
    public void close() {
        vigil.close();
    }
}
