// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Whole HTTP requests as bytes, with the token of one login. */
record Requests(String authorization) {
    static Requests of(Client client) {
        return new Requests("Bearer "
                + client.post(
                                "/users/login",
                                Map.of("username", ServerProcess.USERNAME, "password", ServerProcess.PASSWORD))
                        .expect(200)
                        .json()
                        .at("/access_token/token")
                        .asString());
    }

    byte[] post(String path, String type, byte[] body) {
        return request("POST " + path, body, "Content-Type: " + type + "\r\n");
    }

    byte[] get(String path) {
        return request("GET " + path, new byte[0], "");
    }

    private byte[] request(String line, byte[] body, String headers) {
        String head = line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: " + authorization + "\r\n" + headers
                + (body.length == 0 ? "" : "Content-Length: " + body.length + "\r\n") + "\r\n";
        var all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(body);
        return all.toByteArray();
    }
}
