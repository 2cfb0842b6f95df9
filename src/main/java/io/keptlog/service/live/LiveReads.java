// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.live;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.service.message.PollRequest;
import io.keptlog.service.message.PollService;
import io.keptlog.storage.PartitionLog;
import org.jspecify.annotations.Nullable;

/** Opens cursors that read on as messages are appended. Keeps no state; safe for any number of threads. */
public final class LiveReads {
    private final PollService polls;
    private final OpenLogs openLogs;
    private final Vigils vigils;

    public LiveReads(PollService polls, OpenLogs openLogs, Vigils vigils) {
        this.polls = polls;
        this.openLogs = openLogs;
        this.vigils = vigils;
    }

    /**
     * A cursor at the start that is asked for. It stays with this life of the partition.
     *
     * @param resumed whether the reader has seen the message before the start: it knows that there was one
     * @throws KeptlogException what a poll throws before it reads, and what {@link Vigils#begin} throws
     */
    public LiveCursor open(PollRequest request, boolean resumed, int userId) {
        Vigil vigil = vigils.begin(userId);
        boolean opened = false;
        try {
            PollService.Place place = polls.place(request);
            long start = polls.startOffset(request, place);
            Gap lost = polls.cut(request, place, start);
            if (lost == null && resumed) {
                lost = beyondTheEnd(start, place.log());
            }
            var cursor = new LiveCursor(this, vigil, request, place, lost == null ? start : lost.fromOffset(), lost);
            opened = true;
            return cursor;
        } finally {
            if (!opened) {
                vigil.close();
            }
        }
    }

    /** What was seen and is beyond all that there is was taken back, or belonged to an earlier life: the numbers will mean other messages. */
    private static @Nullable Gap beyondTheEnd(long start, PartitionLog log) {
        long end = log.status().endOffset();
        return start > end ? new Gap(end, start, Gap.Reason.RECOVERY) : null;
    }

    PollService polls() {
        return polls;
    }

    /**
     * The place's log as it is open now.
     *
     * @throws KeptlogException PARTITION_NOT_FOUND: this life is over
     */
    PollService.Place now(PollService.Place place) {
        PartitionLog log = openLogs.findNow(place.partition());
        if (log == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND,
                    "Partition " + place.partition().ref() + " was deleted or purged.",
                    "partition_id");
        }
        return log == place.log() ? place : place.in(log);
    }
}
