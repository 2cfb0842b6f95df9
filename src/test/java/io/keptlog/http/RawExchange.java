// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One request written byte by byte, and its whole answer. */
record RawExchange(int status, List<String> headers, String body) {
    private static final int TIMEOUT_MILLIS = 60_000;
    static final String BASIC = "Authorization: Basic "
            + Base64.getEncoder().encodeToString("iggy:secret".getBytes(StandardCharsets.UTF_8));

    /** GET of a path that is sent as it is, as root. */
    static RawExchange get(int port, String path, String... headers) {
        return request(port, "GET", path, headers);
    }

    static RawExchange request(int port, String method, String path, String... headers) {
        String all = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return send(
                port,
                method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + BASIC + "\r\nConnection: close\r\n" + all + "\r\n");
    }

    static RawExchange send(int port, String bytes) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            return parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawExchange parse(String answer) {
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            return new RawExchange(-1, List.of(), answer);
        }
        List<String> lines = new ArrayList<>(answer.substring(0, end).lines().toList());
        int status = Integer.parseInt(lines.removeFirst().split(" ")[1]);
        String body = answer.substring(end + 4);
        if (lines.stream().anyMatch(l -> l.toLowerCase(Locale.ROOT).startsWith("transfer-encoding: chunked"))) {
            body = unchunk(body);
        }
        return new RawExchange(status, lines, body);
    }

    private static String unchunk(String body) {
        var plain = new StringBuilder();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            int eol = at;
            while (bytes[eol] != '\r') {
                eol++;
            }
            int length = Integer.parseInt(new String(bytes, at, eol - at, StandardCharsets.US_ASCII), 16);
            plain.append(new String(bytes, eol + 2, length, StandardCharsets.UTF_8));
            at = eol + 2 + length + 2;
        }
        return plain.toString();
    }

    JsonNode json() {
        return JsonMapper.shared().readTree(body);
    }

    String header(String name) {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return headers.stream()
                .filter(h -> h.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(h -> h.substring(prefix.length()).strip())
                .findFirst()
                .orElse("");
    }
}
