// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.http.live.LiveExchange.Wanted;
import io.keptlog.service.message.PollRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Reads where a stream of events begins: after the event that the reader has last (Last-Event-ID, as browsers send it), else like a poll. */
final class LiveQuery {
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private LiveQuery() {}

    static Wanted read(HttpServletRequest request, Identifier stream, Identifier topic) {
        PollRequest poll = PollQuery.read(request, stream, topic, false);
        boolean withEpoch = withEpoch(request.getParameter("ids"));
        String last = request.getHeader(LAST_EVENT_ID);
        return last == null || last.isEmpty()
                ? new Wanted(poll, false, withEpoch)
                : new Wanted(after(last, poll), true, withEpoch || last.indexOf('@') >= 0);
    }

    private static PollRequest after(String last, PollRequest poll) {
        int at = last.indexOf('@');
        long seen = Unsigned.u64(at < 0 ? last : last.substring(0, at), LAST_EVENT_ID);
        long epoch = at < 0 ? poll.epoch() : PollQuery.epoch(last.substring(at + 1), LAST_EVENT_ID);
        // No partition ever holds 2^63 messages: such an event was never sent.
        long next = seen < 0 || seen == Long.MAX_VALUE ? Long.MAX_VALUE : seen + 1;
        return poll.from(next, Limits.LIVE_BATCH_MESSAGES, Limits.LIVE_BATCH_BYTES, epoch);
    }

    private static boolean withEpoch(@Nullable String ids) {
        return switch (ids) {
            case null -> false;
            case "offset" -> false;
            case "epoch" -> true;
            default -> throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "The ids of events are offset, or epoch: offset@epoch.", "ids");
        };
    }
}
