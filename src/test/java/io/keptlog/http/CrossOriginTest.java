// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.storage.InMemoryCatalog;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Pages of an allowed origin can use everything, errors included; others can do nothing. */
@EdgeTest
class CrossOriginTest {
    private static final String ALLOWED = "Origin: https://console.example.org";
    private static final String OTHER = "Origin: https://evil.example.org";

    @LocalServerPort
    int port;

    @Autowired
    InMemoryCatalog catalog;

    @Test
    void aPreflightNeedsNoLogin() {
        RawExchange answer = RawExchange.send(
                port,
                "OPTIONS /users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + ALLOWED
                        + "\r\nAccess-Control-Request-Method: POST\r\n"
                        + "Access-Control-Request-Headers: authorization, content-type, keptlog-key\r\n\r\n");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://console.example.org");
        assertThat(answer.header("Access-Control-Allow-Methods"))
                .contains("POST")
                .contains("DELETE");
        assertThat(answer.header("Access-Control-Allow-Headers"))
                .contains("authorization")
                .contains("keptlog-key");
    }

    @Test
    void repliesAndErrorsCarryTheHeaders() {
        assertThat(RawExchange.get(port, "/users", ALLOWED).header("Access-Control-Allow-Origin"))
                .isEqualTo("https://console.example.org");
        for (String path : new String[] {"/users/99999", "/no/such/path", "/echo-defect", "/echo/a;x"}) {
            RawExchange error = RawExchange.get(port, path, ALLOWED);
            assertThat(error.status()).isGreaterThanOrEqualTo(400);
            assertThat(error.header("Access-Control-Allow-Origin")).as(path).isEqualTo("https://console.example.org");
            assertThat(error.header("Access-Control-Expose-Headers")).contains("Iggy-Durability");
            ErrorForm.require(error);
        }
        RawExchange unknown = RawExchange.send(
                port, "GET /users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + ALLOWED + "\r\n\r\n");
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.header("Access-Control-Allow-Origin")).isEqualTo("https://console.example.org");
    }

    @Test
    void anotherOriginWritesNothing() {
        int changes = catalog.changes().size();
        String body = "{\"username\":\"from-elsewhere\",\"password\":\"a word\"}";
        RawExchange answer = RawExchange.send(
                port,
                "POST /users HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC + "\r\nConnection: close\r\n" + OTHER
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        assertThat(answer.status()).isEqualTo(403);
        ErrorForm.require(answer);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(catalog.changes()).hasSize(changes);
    }

    @Test
    void repliesCarryTheHeadersThatKeepBrowsersSafe() {
        RawExchange answer = RawExchange.get(port, "/users");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'");
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }

    @Test
    void dataIsNeverGuessedToBeAPageAndNeverCached() {
        RawExchange answer = RawExchange.get(port, "/streams/none/topics/none/messages");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }
}
