// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that no HTTP library would send. One thread. */
public final class RawSocket implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 60_000;
    private static final JsonMapper JSON = new JsonMapper();

    private final Socket socket;

    /** What came back: status −1 and nothing else when the connection was closed without an answer. */
    public record Answer(int status, String head, byte[] body) {
        public JsonNode json() {
            return JSON.readTree(body);
        }

        public String code() {
            return json().path("code").asString("");
        }
    }

    public RawSocket(int port) {
        try {
            socket = new Socket("127.0.0.1", port);
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Head of an authenticated POST of JSON. */
    public static String postHead(String path, String... headers) {
        String basic = Base64.getEncoder()
                .encodeToString(
                        (ServerProcess.USERNAME + ":" + ServerProcess.PASSWORD).getBytes(StandardCharsets.UTF_8));
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " + basic
                + "\r\nContent-Type: application/json\r\n"
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n") + "\r\n";
    }

    public RawSocket send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    public RawSocket send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that no more will be sent. */
    public RawSocket endOutput() {
        try {
            socket.shutdownOutput();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one answer with Content-Length or chunks. */
    public Answer read() {
        try {
            InputStream in = socket.getInputStream();
            String head = head(in);
            if (head.isEmpty()) {
                return new Answer(-1, "", new byte[0]);
            }
            int status = Integer.parseInt(head.split(" ", 3)[1]);
            String lower = head.toLowerCase(Locale.ROOT);
            if (lower.contains("transfer-encoding: chunked")) {
                return new Answer(status, head, chunks(in));
            }
            int at = lower.indexOf("content-length: ");
            int length = at < 0 ? 0 : Integer.parseInt(lower.substring(at + 16, lower.indexOf('\r', at)));
            return new Answer(status, head, in.readNBytes(length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            StringBuilder size = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("chunk cut off");
                }
                size.append((char) c);
            }
            int length = Integer.parseInt(size.toString().strip(), 16);
            body.write(in.readNBytes(length));
            in.readNBytes(2);
            if (length == 0) {
                return body.toByteArray();
            }
        }
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
