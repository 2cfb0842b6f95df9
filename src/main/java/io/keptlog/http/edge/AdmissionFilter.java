// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.access.Caller;
import io.keptlog.access.Guard;
import io.keptlog.access.Refusals;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Lets in what the server has room for: bodies by the memory they take, and produce requests by user. Counts with one compare-and-set per request; what
 * was counted is given back when the request has ended. Refuses with 413, 415 (a content encoding), 429 and 503: nothing stored.
 */
final class AdmissionFilter extends HttpFilter {
    private static final int RETRY_SECONDS = 1;
    private static final String NDJSON = "application/x-ndjson";

    private final HttpLimits limits;
    private final Guard guard;
    private final Refusals refusals;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final Map<Integer, AtomicInteger> writesByUser = new ConcurrentHashMap<>();

    AdmissionFilter(HttpLimits limits, Guard guard, Refusals refusals) {
        this.limits = limits;
        this.guard = guard;
        this.refusals = refusals;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!hasBody(request)) {
            chain.doFilter(request, response);
            return;
        }
        boolean lines = isLines(request);
        KeptlogException refusal = refusal(request, lines);
        if (refusal != null) {
            if (refusal.code() == ErrorCode.UNSUPPORTED_MEDIA_TYPE) {
                response.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
            }
            refusals.refuse(request, response, refusal);
            return;
        }
        long bytes = reserved(request, lines);
        if (!reserve(bytes)) {
            refusals.refuse(request, response, busy());
            return;
        }
        try {
            admitted(lines ? request : new BoundedRequest(request, limits.requestBodyBytes()), response, chain);
        } finally {
            bytesInFlight.addAndGet(-bytes);
        }
    }

    private void admitted(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Caller> caller = isProduce(request) ? guard.current() : Optional.empty();
        if (caller.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        AtomicInteger writes = writesByUser.computeIfAbsent(caller.get().userId(), id -> new AtomicInteger());
        try {
            if (writes.incrementAndGet() > limits.writesPerUser()) {
                refusals.refuse(request, response, tooMany());
            } else {
                chain.doFilter(request, response);
            }
        } finally {
            writes.decrementAndGet();
        }
    }

    private @Nullable KeptlogException refusal(HttpServletRequest request, boolean lines) {
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.isBlank() && !encoding.strip().equalsIgnoreCase("identity")) {
            return new KeptlogException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "Send the body as it is, without a content encoding.",
                    "content-encoding");
        }
        if (!lines && request.getContentLengthLong() > limits.requestBodyBytes()) {
            return BoundedRequest.tooLarge(limits.requestBodyBytes());
        }
        return null;
    }

    /** A body of unknown length may be as large as allowed. */
    private long reserved(HttpServletRequest request, boolean lines) {
        long declared = request.getContentLengthLong();
        if (lines) {
            return limits.heldByLines(declared);
        }
        return HttpLimits.heldBy(declared < 0 ? limits.requestBodyBytes() : declared);
    }

    private boolean reserve(long bytes) {
        while (true) {
            long now = bytesInFlight.get();
            if (now + bytes > limits.inFlightBytes()) {
                return false;
            }
            if (bytesInFlight.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    private static boolean isLines(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null && type.regionMatches(true, 0, NDJSON, 0, NDJSON.length());
    }

    private static boolean isProduce(HttpServletRequest request) {
        return "POST".equals(request.getMethod()) && request.getRequestURI().endsWith("/messages");
    }

    private static KeptlogException busy() {
        return KeptlogException.retryable(
                ErrorCode.SERVER_BUSY, "The server has as many request bodies in work as it can hold.", RETRY_SECONDS);
    }

    private static KeptlogException tooMany() {
        return KeptlogException.retryable(
                ErrorCode.TOO_MANY_IN_FLIGHT_WRITES, "This user has too many writes in flight.", RETRY_SECONDS);
    }
}
