// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests of other brokers: one connection, one request at a time, a virtual thread each. Frames: u32 length, then the operation's name and
 * its values; the reply u32 length, u8 0 and its values, or u8 1 and an error.
 */
public final class PeerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
    private static final int CONNECTIONS_MAX = 4096;
    private static final int HANDSHAKE_MILLIS = 5_000;

    private final ServerSocket listener;
    private final Handshake handshake;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param port 0 = any free one
     */
    public PeerServer(String host, int port, byte[] secret) throws IOException {
        this.handshake = new Handshake(secret);
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(host, port), 256);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** From here on, requests are taken. */
    public void start(PeerHandler handler) {
        Thread.ofVirtual().name("peer-accept").start(() -> accept(handler));
    }

    private void accept(PeerHandler handler) {
        while (!closed) {
            try {
                Socket socket = listener.accept();
                if (connections.size() >= CONNECTIONS_MAX) {
                    socket.close();
                    continue;
                }
                connections.add(socket);
                Thread.ofVirtual().name("peer").start(() -> serve(socket, handler));
            } catch (IOException e) {
                if (!closed) {
                    LOG.warn("a connection of another broker could not be accepted: {}", e.toString());
                }
            }
        }
    }

    private void serve(Socket socket, PeerHandler handler) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(HANDSHAKE_MILLIS);
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
            var out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 64 << 10));
            handshake.accept(in, out);
            socket.setSoTimeout(0);
            while (!closed) {
                int length = in.readInt();
                if (length < 1 || length > Limits.PEER_MESSAGE_MAX_BYTES) {
                    throw new IOException("a request of " + length + " bytes");
                }
                var request = new byte[length];
                in.readFully(request);
                byte[] reply = answer(request, handler);
                out.writeInt(reply.length);
                out.write(reply);
                out.flush();
            }
        } catch (EOFException e) {
            LOG.debug("a broker has closed its connection");
        } catch (IOException e) {
            if (!closed) {
                LOG.info("a connection of another broker ended: {}", e.toString());
            }
        } finally {
            connections.remove(socket);
        }
    }

    private static byte[] answer(byte[] request, PeerHandler handler) throws IOException {
        var bytes = new ByteArrayOutputStream(512);
        var out = new DataOutputStream(bytes);
        try {
            var in = new DataInputStream(new ByteArrayInputStream(request));
            out.writeByte(0);
            handler.handle(operation(in.readUTF()), in, out);
        } catch (KeptlogException e) {
            bytes.reset();
            out.writeByte(1);
            PeerWire.write(out, e);
        } catch (RuntimeException e) {
            LOG.error("a request of another broker failed", e);
            bytes.reset();
            out.writeByte(1);
            PeerWire.write(out, new KeptlogException(ErrorCode.INTERNAL_ERROR, "The owner failed: " + e));
        }
        return bytes.toByteArray();
    }

    private static PeerHandler.Operation operation(String name) {
        for (PeerHandler.Operation operation : PeerHandler.Operation.values()) {
            if (operation.name().equals(name)) {
                return operation;
            }
        }
        throw new KeptlogException(
                ErrorCode.INVALID_COMMAND, "This broker does not know " + name + ": another version.");
    }

    @Override
    public void close() {
        closed = true;
        closeQuietly(listener);
        connections.forEach(PeerServer::closeQuietly);
    }

    private static void closeQuietly(java.io.Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            LOG.debug("closing: {}", e.toString());
        }
    }
}
