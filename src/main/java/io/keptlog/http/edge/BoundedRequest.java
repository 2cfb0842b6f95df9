// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body may not be longer than allowed, also when it does not say how long it is, and not endlessly slow, because it holds
 * a share of the budget of bodies. Reading on throws PAYLOAD_TOO_LARGE or REQUEST_TIMEOUT: nothing stored. Used by one thread.
 */
final class BoundedRequest extends HttpServletRequestWrapper {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    private final long maxBytes;
    private final LongSupplier nanoClock;
    private @Nullable ServletInputStream bounded;

    BoundedRequest(HttpServletRequest request, long maxBytes) {
        this(request, maxBytes, System::nanoTime);
    }

    BoundedRequest(HttpServletRequest request, long maxBytes, LongSupplier nanoClock) {
        super(request);
        this.maxBytes = maxBytes;
        this.nanoClock = nanoClock;
    }

    static KeptlogException tooLarge(long maxBytes) {
        return new KeptlogException(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "A request body may have at most " + maxBytes + " bytes (keptlog.max-request-body).");
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (bounded == null) {
            long declared = getContentLengthLong();
            bounded = declared >= 0 && declared <= Limits.BODY_AT_ANY_SPEED_BYTES
                    ? super.getInputStream()
                    : new Bounded(super.getInputStream(), maxBytes, nanoClock);
        }
        return bounded;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private static final class Bounded extends ServletInputStream {
        private final ServletInputStream body;
        private final long maxBytes;
        private final LongSupplier nanoClock;
        private final long begunNanos;
        private long read;

        Bounded(ServletInputStream body, long maxBytes, LongSupplier nanoClock) {
            this.body = body;
            this.maxBytes = maxBytes;
            this.nanoClock = nanoClock;
            this.begunNanos = nanoClock.getAsLong();
        }

        @Override
        public int read() throws IOException {
            int next = body.read();
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int got = body.read(into, offset, length);
            count(Math.max(0, got));
            return got;
        }

        private void count(int bytes) {
            read += bytes;
            if (read > maxBytes) {
                throw tooLarge(maxBytes);
            }
            if (bytes > 0 && isTooSlow((nanoClock.getAsLong() - begunNanos) / NANOS_PER_MILLI)) {
                throw new KeptlogException(
                        ErrorCode.REQUEST_TIMEOUT,
                        "The body comes more slowly than " + Limits.BODY_MIN_BYTES_PER_SECOND + " bytes per second.");
            }
        }

        private boolean isTooSlow(long millis) {
            return millis > Limits.BODY_GRACE_MILLIS
                    && read < millis * Limits.BODY_MIN_BYTES_PER_SECOND / MILLIS_PER_SECOND;
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
