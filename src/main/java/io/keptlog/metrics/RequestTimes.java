// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * Times every request as Spring does ({@code http.server.requests}). Produce and poll, which are nearly all of them, are timed without an
 * observation, which costs a tenth of such a request (docs/performance.md); name and tags are the same. Safe for any number of threads.
 */
public final class RequestTimes extends ServerHttpObservationFilter {
    private static final String MESSAGES = "/streams/{stream_id}/topics/{topic_id}/messages";
    private static final String NONE = "none";
    private static final int STATUSES = 600;
    private static final String[] OUTCOMES = {
        "UNKNOWN", "INFORMATIONAL", "SUCCESS", "REDIRECTION", "CLIENT_ERROR", "SERVER_ERROR"
    };

    private final MeterRegistry registry;
    private final AtomicReferenceArray<Timer> produced = new AtomicReferenceArray<>(STATUSES);
    private final AtomicReferenceArray<Timer> polled = new AtomicReferenceArray<>(STATUSES);

    public RequestTimes(ObservationRegistry observations, MeterRegistry registry) {
        super(observations);
        this.registry = registry;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!isMessages(request)) {
            super.doFilterInternal(request, response, chain);
            return;
        }
        long start = System.nanoTime();
        String exception = NONE;
        try {
            chain.doFilter(request, response);
        } catch (Throwable e) {
            exception = e.getClass().getSimpleName();
            throw e;
        } finally {
            timer(request.getMethod(), response.getStatus(), exception)
                    .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        }
    }

    /** GET or POST of /streams/x/topics/y/messages. */
    private static boolean isMessages(HttpServletRequest request) {
        String path = request.getRequestURI();
        if (!path.startsWith("/streams/") || !path.endsWith("/messages")) {
            return false;
        }
        int slashes = 0;
        for (int i = 0; i < path.length(); i++) {
            slashes += path.charAt(i) == '/' ? 1 : 0;
        }
        return slashes == 5
                && (request.getMethod().equals("POST") || request.getMethod().equals("GET"));
    }

    private Timer timer(String method, int status, String exception) {
        if (status < 0 || status >= STATUSES || !exception.equals(NONE)) {
            return register(method, status, exception);
        }
        AtomicReferenceArray<Timer> timers = method.equals("POST") ? produced : polled;
        Timer timer = timers.get(status);
        if (timer == null) {
            timer = register(method, status, exception);
            timers.set(status, timer);
        }
        return timer;
    }

    private Timer register(String method, int status, String exception) {
        int family = status / 100;
        return Timer.builder(MeterNames.HTTP_REQUESTS)
                .tag("exception", exception)
                .tag("error", exception)
                .tag("method", method)
                .tag("outcome", family > 0 && family < OUTCOMES.length ? OUTCOMES[family] : OUTCOMES[0])
                .tag("status", Integer.toString(status))
                .tag("uri", MESSAGES)
                .register(registry);
    }
}
