// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.live;

import io.keptlog.access.Standing;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.Slice;
import io.keptlog.http.codec.EventWriter;
import io.keptlog.http.codec.PollReply;
import io.keptlog.http.error.ErrorBody;
import io.keptlog.service.live.LiveCursor;
import io.keptlog.service.live.Vigils;
import io.keptlog.service.message.Polled;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream from its first event to its end: reads what is there, writes it, sleeps until there is more. One virtual thread. Ends when
 * the client goes or is too slow (the connection breaks off), and with an event that says why when the server stops, the partition's life
 * is over, the credentials are no longer good, or reading fails. A crash leaves nothing: the reader resumes after the last event it has.
 */
final class LiveStream implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);
    private static final long TAKEN_WITHIN_MILLIS = 10_000;
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(Limits.LIVE_RECHECK_MILLIS);

    private final LiveCursor cursor;
    private final LiveConnection connection;
    private final Admission admission;
    private final EventWriter events;
    private final boolean withEpoch;
    private final long heartbeatNanos;
    private final long stallNanos;
    private long heartbeatAt;
    private long recheckAt;

    /**
     * Why the reader may read.
     *
     * @param check that the caller may poll this topic
     */
    record Admission(Standing standing, Runnable check) {
        void recheck() {
            standing.recheck(check);
        }
    }

    /**
     * @param withEpoch whether the ids of events carry the epoch
     */
    LiveStream(
            LiveCursor cursor,
            LiveConnection connection,
            Admission admission,
            EventWriter events,
            boolean withEpoch,
            LiveSettings settings) {
        this.cursor = cursor;
        this.connection = connection;
        this.admission = admission;
        this.events = events;
        this.withEpoch = withEpoch;
        this.heartbeatNanos = settings.heartbeat().toNanos();
        this.stallNanos = settings.stall().toNanos();
    }

    @Override
    public void run() {
        try (cursor) {
            if (connection.awaitTaken(TAKEN_WITHIN_MILLIS)) {
                KeptlogException end = readUntilTheEnd();
                if (end != null) {
                    OutputStream out = connection.writing(TimeUnit.MILLISECONDS.toNanos(Limits.LIVE_STOP_MAX_MILLIS));
                    events.end(ErrorBody.of(end).toJson(), out);
                    out.flush();
                }
            }
        } catch (IOException e) {
            LOG.debug("a stream broke off: {}", e.toString());
        } finally {
            connection.close();
        }
    }

    /** @return what the reader is to be told, or null when it has gone */
    private @Nullable KeptlogException readUntilTheEnd() throws IOException {
        try {
            return read();
        } catch (KeptlogException e) {
            return e;
        } catch (RuntimeException e) {
            LOG.error("a stream failed", e);
            return new KeptlogException(ErrorCode.INTERNAL_ERROR, "The server failed; this is a defect.");
        }
    }

    private @Nullable KeptlogException read() throws IOException {
        heartbeatAt = System.nanoTime() + heartbeatNanos;
        recheckAt = System.nanoTime() + RECHECK_NANOS;
        while (!connection.isGone()) {
            if (cursor.isStopping()) {
                return Vigils.stopped();
            }
            if (System.nanoTime() - recheckAt >= 0) {
                admission.recheck();
                recheckAt = System.nanoTime() + RECHECK_NANOS;
            }
            if (!step()) {
                cursor.sleep(heartbeatAt - System.nanoTime());
            }
        }
        return null;
    }

    /** @return whether there was something to say */
    private boolean step() throws IOException {
        try (Polled polled = cursor.next()) {
            Slice slice = polled.slice();
            Gap gap = polled.gap();
            if (gap == null && slice.count() == 0 && System.nanoTime() - heartbeatAt < 0) {
                return false;
            }
            OutputStream out = connection.writing(stallNanos);
            if (gap != null) {
                events.gap(gap, out);
            }
            if (slice.count() > 0) {
                events.messages(slice, withEpoch, out);
            } else if (gap == null) {
                var at = new PollReply(polled.partitionId(), polled.currentOffset(), null, slice.epoch());
                events.heartbeat(at, cursor.nextOffset(), out);
            }
            out.flush();
            heartbeatAt = System.nanoTime() + heartbeatNanos;
            return true;
        }
    }
}
