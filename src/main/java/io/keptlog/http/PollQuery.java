// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PollStart;
import io.keptlog.domain.Visibility;
import io.keptlog.service.message.PollRequest;
import io.keptlog.service.offset.ConsumerIds;
import io.keptlog.service.option.Quantities;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads a poll's parameters (Iggy HTTP API §4): exact or 400, with the contract's defaults for what is absent. */
final class PollQuery {
    private static final long DEFAULT_COUNT = 10;

    private PollQuery() {}

    /**
     * @param raw whether the payloads alone are wanted, which has a smaller bound on the count
     */
    static PollRequest read(HttpServletRequest request, Identifier stream, Identifier topic, boolean raw) {
        String consumerKind = request.getParameter("consumer_kind");
        if (consumerKind != null && !consumerKind.equals("consumer")) {
            throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "Over HTTP a poll is made for a consumer.", "consumer_kind");
        }
        String consumer = request.getParameter("consumer_id");
        long count = Unsigned.u32(request.getParameter("count"), "count", DEFAULT_COUNT);
        return new PollRequest(
                stream,
                topic,
                Unsigned.u32(request.getParameter("partition_id"), "partition_id", 0),
                consumer == null
                        ? ConsumerIds.DEFAULT
                        : ConsumerIds.consumer(Identifier.parse(consumer, "consumer_id")),
                new PollStart(
                        kind(request.getParameter("kind")), Unsigned.u64(request.getParameter("value"), "value", 0)),
                (int) Math.min(count, raw ? Limits.RAW_POLL_COUNT_MAX : Limits.POLL_COUNT_MAX),
                Limits.POLL_MAX_BYTES,
                flag(request.getParameter("auto_commit"), "auto_commit"),
                visibility(request.getParameter("visibility")),
                epoch(request.getParameter("epoch"), "epoch"));
    }

    /** How long the poll may wait for messages: microseconds, or as people write a time. */
    static Duration waitFor(HttpServletRequest request) {
        String text = request.getParameter("wait");
        if (text == null) {
            return Duration.ZERO;
        }
        long micros = Quantities.micros(text).orElse(-1L);
        if (micros < 0 || micros > TimeUnit.SECONDS.toMicros(Limits.POLL_WAIT_MAX_SECONDS)) {
            throw new KeptlogException(
                    ErrorCode.INVALID_FORMAT,
                    "A poll waits for microseconds, or for a time such as 5s or 500ms, at most "
                            + Limits.POLL_WAIT_MAX_SECONDS + "s.",
                    "wait");
        }
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    private static PollStart.Kind kind(@Nullable String text) {
        if (text == null) {
            return PollStart.Kind.OFFSET;
        }
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "offset", "o" -> PollStart.Kind.OFFSET;
            case "timestamp", "t" -> PollStart.Kind.TIMESTAMP;
            case "first", "f" -> PollStart.Kind.FIRST;
            case "last", "l" -> PollStart.Kind.LAST;
            case "next", "n" -> PollStart.Kind.NEXT;
            default -> throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "A poll starts at offset, timestamp, first, last or next.", "kind");
        };
    }

    private static boolean flag(@Nullable String text, String field) {
        return switch (text) {
            case null -> false;
            case "false" -> false;
            case "true" -> true;
            default -> throw new KeptlogException(ErrorCode.INVALID_COMMAND, "It is true or false.", field);
        };
    }

    static long epoch(@Nullable String text, String field) {
        long epoch = text == null ? PollRequest.NO_EPOCH : Unsigned.u64(text, field);
        // No server is ever started 2^63 times: such an epoch is newer than any.
        return text != null && epoch < 0 ? Long.MAX_VALUE : epoch;
    }

    private static Visibility visibility(@Nullable String text) {
        return switch (text) {
            case null -> Visibility.TOPIC;
            case "topic" -> Visibility.TOPIC;
            case "persisted" -> Visibility.PERSISTED;
            default -> throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "A poll's visibility is topic or persisted.", "visibility");
        };
    }
}
