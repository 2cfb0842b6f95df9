// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Connections to other brokers, kept while idle. One request takes one connection for its time. Thread-safe; waits end at the deadline. */
public final class PeerConnections implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;
    /** An idle connection older than this may have been closed by something in between. */
    private static final long IDLE_MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Handshake handshake;
    private final Map<String, ConcurrentLinkedDeque<Connection>> idle = new ConcurrentHashMap<>();
    private final AtomicInteger idleCount = new AtomicInteger();

    public PeerConnections(byte[] secret) {
        this.handshake = new Handshake(secret);
    }

    /** Writes a request's values. */
    interface Writer {
        void write(DataOutput out) throws IOException;
    }

    /** Reads a reply's values. */
    interface Reader<T> {
        T read(DataInput in) throws IOException;
    }

    /** The request has not been sent: the other broker has not seen it. */
    static final class NotSentException extends IOException {
        NotSentException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static final class Connection {
        final Socket socket;
        final DataInputStream in;
        final DataOutputStream out;
        long usedNanos = System.nanoTime();

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
            this.out = new DataOutputStream(socket.getOutputStream());
        }
    }

    /**
     * @throws KeptlogException what the other broker has thrown
     * @throws NotSentException it was not asked
     * @throws IOException the connection broke, or the deadline passed: it may have done what was asked
     */
    <T> T call(String address, PeerHandler.Operation operation, Writer request, Reader<T> reply, Deadline deadline)
            throws IOException {
        byte[] bytes = frame(operation, request);
        Connection connection = take(address);
        if (connection == null) {
            connection = connect(address, deadline);
        }
        boolean done = false;
        try {
            connection.socket.setSoTimeout(millis(deadline));
            connection.out.write(bytes);
            int length = connection.in.readInt();
            if (length < 1 || length > Limits.PEER_MESSAGE_MAX_BYTES) {
                throw new IOException("a reply of " + length + " bytes");
            }
            var body = new byte[length];
            connection.in.readFully(body);
            done = true;
            var in = new DataInputStream(new ByteArrayInputStream(body, 1, length - 1));
            if (body[0] != 0) {
                throw PeerWire.exception(in);
            }
            return reply.read(in);
        } finally {
            if (done) {
                give(address, connection);
            } else {
                connection.socket.close();
            }
        }
    }

    private static byte[] frame(PeerHandler.Operation operation, Writer request) throws IOException {
        var bytes = new ByteArrayOutputStream(512);
        var out = new DataOutputStream(bytes);
        out.writeInt(0);
        out.writeUTF(operation.name());
        request.write(out);
        byte[] frame = bytes.toByteArray();
        java.nio.ByteBuffer.wrap(frame).putInt(0, frame.length - 4);
        return frame;
    }

    private Connection connect(String address, Deadline deadline) throws NotSentException {
        int colon = address.lastIndexOf(':');
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    Math.min(CONNECT_MILLIS, millis(deadline)));
            socket.setSoTimeout(Math.min(CONNECT_MILLIS, millis(deadline)));
            var connection = new Connection(socket);
            handshake.connect(connection.in, connection.out);
            return connection;
        } catch (IOException e) {
            try {
                socket.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw new NotSentException("broker at " + address + " cannot be reached", e);
        }
    }

    private static int millis(Deadline deadline) {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos()));
    }

    private @Nullable Connection take(String address) {
        ConcurrentLinkedDeque<Connection> kept = idle.get(address);
        while (kept != null) {
            Connection connection = kept.pollFirst();
            if (connection == null) {
                return null;
            }
            idleCount.decrementAndGet();
            if (System.nanoTime() - connection.usedNanos < IDLE_MAX_NANOS && alive(connection)) {
                return connection;
            }
            closeQuietly(connection);
        }
        return null;
    }

    /** Nothing is due on an idle connection: what can be read at once is the end of it. */
    private static boolean alive(Connection connection) {
        try {
            if (System.nanoTime() - connection.usedNanos < TimeUnit.MILLISECONDS.toNanos(200)) {
                return true;
            }
            connection.socket.setSoTimeout(1);
            connection.in.read();
            return false;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void give(String address, Connection connection) {
        connection.usedNanos = System.nanoTime();
        if (idleCount.incrementAndGet() > Limits.PEER_CONNECTIONS_IDLE_MAX) {
            idleCount.decrementAndGet();
            closeQuietly(connection);
            return;
        }
        idle.computeIfAbsent(address, a -> new ConcurrentLinkedDeque<>()).addFirst(connection);
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.socket.close();
        } catch (IOException e) {
            // Nothing was due on it.
            connection.usedNanos = 0;
        }
    }

    @Override
    public void close() {
        idle.values().forEach(kept -> kept.forEach(PeerConnections::closeQuietly));
        idle.clear();
    }
}
