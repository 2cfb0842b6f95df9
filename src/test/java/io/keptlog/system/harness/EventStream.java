// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A reader of server-sent events on a socket of its own, by the rules of the HTML standard and no kinder. One thread. */
public final class EventStream implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;
    private final String head;
    private final Parser parser = new Parser();

    /**
     * An event that was dispatched.
     *
     * @param id the last id of the stream when it was
     */
    public record Event(String name, String id, String data) {
        public JsonNode json() {
            return JsonMapper.shared().readTree(data);
        }

        public boolean isMessage() {
            return name.equals("message");
        }

        /** Of a message, from its data. */
        public long offset() {
            return json().at("/header/offset").asLong(-1);
        }
    }

    /** Bytes of a stream, cut into events; what is not ended by an empty line is never dispatched. */
    public static final class Parser {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private final StringBuilder data = new StringBuilder();
        private String name = "";
        private String idBuffer = "";
        private String lastId = "";

        /** What a reconnect sends as Last-Event-ID. */
        public String lastId() {
            return lastId;
        }

        /** All events of these bytes. */
        public List<Event> all(byte[] bytes, int length) {
            var events = new ArrayList<Event>();
            for (int i = 0; i < length; i++) {
                Event event = take(bytes[i]);
                if (event != null) {
                    events.add(event);
                }
            }
            return events;
        }

        public @Nullable Event take(byte next) {
            if (next != '\n') {
                line.write(next);
                return null;
            }
            String text = line.toString(StandardCharsets.UTF_8);
            line.reset();
            if (!text.isEmpty()) {
                field(text);
                return null;
            }
            lastId = idBuffer;
            Event event = data.isEmpty() ? null : new Event(name.isEmpty() ? "message" : name, lastId, data.toString());
            data.setLength(0);
            name = "";
            return event;
        }

        private void field(String text) {
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            switch (field) {
                case "id" -> idBuffer = value;
                case "event" -> name = value;
                case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
                default -> {
                    // Comments, and retry, which a test does not wait for.
                }
            }
        }
    }

    private EventStream(Socket socket, InputStream in, String head) {
        this.socket = socket;
        this.in = in;
        this.head = head;
    }

    /**
     * Opens a stream and reads the head of the answer.
     *
     * @param path with its query
     * @param headers whole lines, Authorization among them
     */
    public static EventStream open(int port, String path, String... headers) {
        return open(port, 0, path, headers);
    }

    /**
     * @param receiveBufferBytes of the socket; 0 = the system's choice
     */
    public static EventStream open(int port, int receiveBufferBytes, String path, String... headers) {
        try {
            var socket = new Socket();
            if (receiveBufferBytes > 0) {
                socket.setReceiveBufferSize(receiveBufferBytes);
            }
            socket.connect(new InetSocketAddress("127.0.0.1", port), READ_TIMEOUT_MILLIS);
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
                    + String.join("\r\n", headers) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            var in = new BufferedInputStream(socket.getInputStream(), 512);
            return new EventStream(socket, in, readHead(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String readHead(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended in the head: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    public int status() {
        return Integer.parseInt(head.split(" ", 3)[1]);
    }

    public String head() {
        return head.toLowerCase(Locale.ROOT);
    }

    public EventStream expectOk() {
        if (status() != 200 || !head().contains("content-type: text/event-stream")) {
            throw new AssertionError(head);
        }
        return this;
    }

    /** The next event whatever it is, or null at the end of the stream. */
    public @Nullable Event next() {
        try {
            for (int one = in.read(); one >= 0; one = in.read()) {
                Event event = parser.take((byte) one);
                if (event != null) {
                    return event;
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next event that is no heartbeat, or null at the end of the stream. */
    public @Nullable Event news() {
        Event event = next();
        while (event != null && event.name().equals("heartbeat")) {
            event = next();
        }
        return event;
    }

    /** So many messages, heartbeats left out; anything else is a failure. */
    public List<Event> messages(int count) {
        var messages = new ArrayList<Event>(count);
        while (messages.size() < count) {
            Event event = news();
            if (event == null || !event.isMessage()) {
                throw new AssertionError("after " + messages.size() + " messages: " + event);
            }
            messages.add(event);
        }
        return messages;
    }

    /** Bytes as they come, until the stream ends or there are so many. */
    public byte[] bytes(int atMost) {
        try {
            return in.readNBytes(atMost);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a reconnect sends. */
    public String lastId() {
        return parser.lastId();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
