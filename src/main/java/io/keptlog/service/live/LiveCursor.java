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
    private long epoch;
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
        this.epoch = LiveReads.isNamed(request.start().kind()) ? request.epoch() : PollRequest.NO_EPOCH;
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
        epoch = PollRequest.NO_EPOCH;
        nextOffset = Math.max(nextOffset(polled), polled.slice().nextOffset());
        if (lost != null) {
            polled = new Polled(polled.partitionId(), polled.slice(), polled.currentOffset(), lost);
            lost = null;
        }
        return polled;
    }

    /** A cut takes the reader back; a removed range takes it on, also when nothing is left behind it. */
    private long nextOffset(Polled polled) {
        Gap gap = polled.gap();
        if (gap == null) {
            return nextOffset;
        }
        return gap.reason() == Gap.Reason.RECOVERY && gap.toOffset() <= nextOffset
                ? polled.slice().nextOffset()
                : gap.toOffset();
    }

    private Polled poll() {
        return reads.polls()
                .poll(request.from(nextOffset, Limits.LIVE_BATCH_MESSAGES, Limits.LIVE_BATCH_BYTES, epoch), place);
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
