// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.Guard;
import io.keptlog.domain.Gap;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.message.Slice;
import io.keptlog.http.codec.PollJsonWriter;
import io.keptlog.http.codec.PollReply;
import io.keptlog.http.codec.RawPollWriter;
import io.keptlog.http.live.LiveExchange;
import io.keptlog.service.live.LongPolls;
import io.keptlog.service.message.PollRequest;
import io.keptlog.service.message.Polled;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.HttpMediaTypeNotAcceptableException;

/**
 * One poll from its query to its reply, which is written from stored bytes straight to the response. Keeps no state. The slice is closed
 * whatever happens; a reply that breaks off half-way breaks the connection off, so that no reader takes it for whole.
 */
@Component
class PollExchange {
    private static final List<MediaType> OFFERED =
            List.of(MediaType.APPLICATION_JSON, MediaType.APPLICATION_OCTET_STREAM, MediaType.TEXT_EVENT_STREAM);

    private final LongPolls polls;
    private final LiveExchange live;
    private final Guard guard;
    private final PollJsonWriter jsonWriter;
    private final RawPollWriter rawWriter;

    PollExchange(LongPolls polls, LiveExchange live, Guard guard, PollJsonWriter jsonWriter, RawPollWriter rawWriter) {
        this.polls = polls;
        this.live = live;
        this.guard = guard;
        this.jsonWriter = jsonWriter;
        this.rawWriter = rawWriter;
    }

    /** The forms in which messages are answered. */
    private enum Form {
        JSON,
        RAW,
        EVENTS
    }

    /**
     * @param check that the caller may poll this topic; a stream asks again while it lasts
     */
    void serve(
            Identifier stream,
            Identifier topic,
            Runnable check,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, HttpMediaTypeNotAcceptableException {
        Form form = wanted(request.getHeader(HttpHeaders.ACCEPT));
        if (form == Form.EVENTS) {
            live.serve(LiveQuery.read(request, stream, topic), check, request, response);
            return;
        }
        PollRequest wanted = PollQuery.read(request, stream, topic, form == Form.RAW);
        Duration wait = PollQuery.waitFor(request);
        int userId = wait.isZero() ? 0 : guard.caller().userId();
        try (Polled polled = polls.poll(wanted, wait, userId)) {
            response.setStatus(HttpServletResponse.SC_OK);
            if (form == Form.RAW) {
                raw(polled, response);
            } else {
                json(polled, response);
            }
        }
    }

    private void json(Polled polled, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        Slice slice = polled.slice();
        var reply = new PollReply(polled.partitionId(), polled.currentOffset(), polled.gap(), slice.epoch());
        jsonWriter.write(slice, reply, response.getOutputStream());
    }

    private void raw(Polled polled, HttpServletResponse response) throws IOException {
        Slice slice = polled.slice();
        response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
        response.setHeader("Keptlog-First-Offset", Long.toUnsignedString(slice.startOffset()));
        response.setHeader("Keptlog-Next-Offset", Long.toUnsignedString(slice.nextOffset()));
        response.setHeader("Keptlog-Epoch", Long.toUnsignedString(slice.epoch()));
        response.setHeader("Keptlog-Count", Integer.toString(slice.count()));
        Gap gap = polled.gap();
        if (gap != null) {
            response.setHeader(
                    "Keptlog-Gap",
                    "from=" + Long.toUnsignedString(gap.fromOffset()) + ", to="
                            + Long.toUnsignedString(gap.toOffset()) + ", reason="
                            + gap.reason().wireName());
        }
        rawWriter.write(slice, response.getOutputStream());
    }

    /** JSON when the client does not care; the first of its preferences that is offered otherwise. */
    private static Form wanted(@Nullable String accept) throws HttpMediaTypeNotAcceptableException {
        if (accept == null || accept.isBlank()) {
            return Form.JSON;
        }
        try {
            List<MediaType> wanted = MediaType.parseMediaTypes(accept);
            MimeTypeUtils.sortBySpecificity(wanted);
            for (MediaType type : wanted) {
                if (type.isCompatibleWith(MediaType.APPLICATION_JSON)) {
                    return Form.JSON;
                }
                if (type.isCompatibleWith(MediaType.APPLICATION_OCTET_STREAM)) {
                    return Form.RAW;
                }
                if (type.isCompatibleWith(MediaType.TEXT_EVENT_STREAM)) {
                    return Form.EVENTS;
                }
            }
        } catch (InvalidMediaTypeException e) {
            throw new HttpMediaTypeNotAcceptableException("The header Accept cannot be read.");
        }
        throw new HttpMediaTypeNotAcceptableException(OFFERED);
    }
}
