// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.live;

import io.keptlog.access.Authenticator;
import io.keptlog.access.Guard;
import io.keptlog.access.Standing;
import io.keptlog.http.codec.EventWriter;
import io.keptlog.service.live.LiveCursor;
import io.keptlog.service.live.LiveReads;
import io.keptlog.service.message.PollRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Begins streams of server-sent events: everything that can be refused is refused with a status; then the head of the reply goes out, and
 * the connection leaves its request for a thread of its own. The reply has no length and no chunks: it ends with the connection. Keeps no
 * state.
 */
@Component
public class LiveExchange {
    private final LiveReads reads;
    private final EventWriter events;
    private final LiveSettings settings;
    private final Guard guard;
    private final Authenticator authenticator;

    LiveExchange(LiveReads reads, EventWriter events, LiveSettings settings, Guard guard, Authenticator authenticator) {
        this.reads = reads;
        this.events = events;
        this.settings = settings;
        this.guard = guard;
        this.authenticator = authenticator;
    }

    /**
     * A stream as a client asks for it.
     *
     * @param poll where it begins
     * @param resumed whether the reader has seen the message before
     * @param withEpoch whether the ids of events carry the epoch
     */
    public record Wanted(PollRequest poll, boolean resumed, boolean withEpoch) {}

    /**
     * @param check that the caller may poll this topic; asked again while the stream lasts
     */
    public void serve(Wanted wanted, Runnable check, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        LiveCursor cursor =
                reads.open(wanted.poll(), wanted.resumed(), guard.caller().userId());
        boolean begun = false;
        try {
            if ("HEAD".equals(request.getMethod())) {
                head(response);
                return;
            }
            LiveConnection connection = request.upgrade(LiveConnection.class);
            head(response);
            response.flushBuffer();
            var standing =
                    new Standing(authenticator, request.getHeader(HttpHeaders.AUTHORIZATION), request.getRemoteAddr());
            var admission = new LiveStream.Admission(standing, check);
            connection.whenGone(cursor::wake);
            var stream = new LiveStream(cursor, connection, admission, events, wanted.withEpoch(), settings);
            var unused = Thread.ofVirtual().name("live-stream").start(stream);
            begun = true;
        } catch (ServletException e) {
            throw new IllegalStateException("the connection cannot leave its request", e);
        } finally {
            if (!begun) {
                cursor.close();
            }
        }
    }

    /** Leaving its request has set a status that says so; to the client it is an ordinary reply. */
    private static void head(HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setHeader(HttpHeaders.CONNECTION, "close");
        // A proxy that collects replies would hold events back.
        response.setHeader("X-Accel-Buffering", "no");
    }
}
