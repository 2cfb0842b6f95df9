// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body may not be longer than allowed, also when it does not say how long it is. Reading on throws PAYLOAD_TOO_LARGE.
 * Used by one thread.
 */
final class BoundedRequest extends HttpServletRequestWrapper {
    private final long maxBytes;
    private @Nullable ServletInputStream bounded;

    BoundedRequest(HttpServletRequest request, long maxBytes) {
        super(request);
        this.maxBytes = maxBytes;
    }

    static KeptlogException tooLarge(long maxBytes) {
        return new KeptlogException(
                ErrorCode.PAYLOAD_TOO_LARGE, "A request body may have at most " + maxBytes + " bytes.");
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (bounded == null) {
            bounded = getContentLengthLong() >= 0
                    ? super.getInputStream()
                    : new Bounded(super.getInputStream(), maxBytes);
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
        private long read;

        Bounded(ServletInputStream body, long maxBytes) {
            this.body = body;
            this.maxBytes = maxBytes;
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
