// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.live;

import io.keptlog.domain.Limits;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a stream after its request has ended: Tomcat has its request, response and their buffers back, and keeps only the
 * socket, as it does for WebSocket.
 * <p>One thread writes; Tomcat's tell when the client has gone. A write waits for a slow client, but no longer than its time: then it
 * throws, and the connection is of no use any more. Closing may happen on any thread and more than once.
 */
public final class LiveConnection implements InternalHttpUpgradeHandler {
    private static final int DISCARD_BYTES = 256;

    private final CountDownLatch taken = new CountDownLatch(1);
    private volatile @Nullable SocketWrapperBase<?> socket;
    private volatile boolean gone;
    private volatile Runnable whenGone = () -> {};

    /** Made by Tomcat. */
    public LiveConnection() {}

    /**
     * @param whenGone run when the client has gone: on a thread of Tomcat, returns at once
     */
    void whenGone(Runnable run) {
        whenGone = run;
    }

    /** Waits until Tomcat has handed the socket over. @return false: it did not, and never will */
    boolean awaitTaken(long millis) {
        try {
            return taken.await(millis, TimeUnit.MILLISECONDS) && !gone;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isGone() {
        return gone;
    }

    /** What is written through this must have gone to the client within the time, counted from now. */
    OutputStream writing(long stallNanos) {
        return new Out(System.nanoTime() + stallNanos);
    }

    @Override
    public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
        socket = wrapper;
    }

    @Override
    public void init(WebConnection connection) {
        taken.countDown();
    }

    /** A client of a stream has nothing to say: what it sends is thrown away, a little with each event. */
    @Override
    public SocketState upgradeDispatch(SocketEvent event) {
        SocketWrapperBase<?> wrapper = socket;
        if (wrapper == null || gone) {
            return left();
        }
        return switch (event) {
            case OPEN_READ -> discard(wrapper) ? SocketState.UPGRADED : left();
            case OPEN_WRITE -> SocketState.UPGRADED;
            case STOP, TIMEOUT, DISCONNECT, ERROR, CONNECT_FAIL -> left();
        };
    }

    private static boolean discard(SocketWrapperBase<?> wrapper) {
        try {
            return wrapper.read(false, ByteBuffer.allocate(DISCARD_BYTES)) >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private SocketState left() {
        gone = true;
        whenGone.run();
        return SocketState.CLOSED;
    }

    @Override
    public void destroy() {
        var unused = left();
    }

    void close() {
        gone = true;
        SocketWrapperBase<?> wrapper = socket;
        if (wrapper != null) {
            wrapper.close();
        }
    }

    /** Streams end by themselves when the server stops. */
    @Override
    public void pause() {}

    @Override
    public void timeoutAsync(long now) {}

    @Override
    public void setSslSupport(SSLSupport sslSupport) {}

    private final class Out extends OutputStream {
        private final long endNanos;

        Out(long endNanos) {
            this.endNanos = endNanos;
        }

        @Override
        public void write(int oneByte) throws IOException {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += Limits.LIVE_WRITE_BYTES) {
                inTime().write(true, bytes, offset + done, Math.min(Limits.LIVE_WRITE_BYTES, length - done));
            }
        }

        @Override
        public void flush() throws IOException {
            inTime().flush(true);
        }

        private SocketWrapperBase<?> inTime() throws IOException {
            SocketWrapperBase<?> wrapper = socket;
            if (wrapper == null || gone) {
                throw new IOException("the reader has gone");
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (millis <= 0) {
                throw new SocketTimeoutException("the reader is too slow");
            }
            wrapper.setWriteTimeout(millis);
            return wrapper;
        }
    }
}
