// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What is PUBLIC answers whatever the Authorization header is, over a real port; what is not answers 401 (http-api §1, §2). */
@ServerTest
class PublicPathsTest {
    @LocalServerPort
    int port;

    static Stream<Arguments> publicPaths() {
        return Stream.of(
                Arguments.of("GET", "/ping", "", 200),
                Arguments.of("HEAD", "/ping", "", 200),
                Arguments.of("GET", "/", "", 200),
                Arguments.of("GET", "/assets/main.js", "", 200),
                Arguments.of("HEAD", "/assets/console.css", "", 200),
                Arguments.of("GET", "/assets/uplot/uPlot.iife.min.js", "", 200),
                Arguments.of("GET", "/actuator/health", "", 200),
                Arguments.of("GET", "/actuator/health/liveness", "", 200),
                Arguments.of("GET", "/actuator/health/readiness", "", 200),
                Arguments.of("GET", "/swagger-ui.html", "", 302),
                Arguments.of("GET", "/swagger-ui/index.html", "", 200),
                Arguments.of("GET", "/swagger-ui/swagger-ui.css", "", 200),
                Arguments.of("GET", "/v3/api-docs", "", 200),
                Arguments.of("GET", "/v3/api-docs/swagger-config", "", 200),
                Arguments.of("POST", "/users/login", "{\"username\":\"iggy\",\"password\":\"secret\"}", 200),
                Arguments.of("POST", "/users/refresh-token", "{\"token\":\"garbage\"}", 401),
                Arguments.of("POST", "/personal-access-tokens/login", "{\"token\":\"garbage\"}", 401));
    }

    private RawExchange call(String method, String path, String body, String authorization) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
        String typed =
                body.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n";
        String known = authorization.equals("none") ? "" : "Authorization:" + authorization + "\r\n";
        return RawExchange.send(port, head + known + typed + "\r\n" + body);
    }

    /** A name of its own for each path: failed logins are throttled. */
    private static String wrongPassword(String path) {
        return Base64.getEncoder().encodeToString((path + "-nobody:wrong").getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("publicPaths")
    void aPublicPathIgnoresEveryAuthorization(String method, String path, String body, int status) {
        for (String authorization : new String[] {
            "none",
            "",
            " ",
            " Bearer",
            " Bearer ",
            " Bearer stale.to.ken",
            " Bearer kpt_0_stale",
            " Basic !!",
            " Basic " + wrongPassword(path),
            " Digest x"
        }) {
            RawExchange answer = call(method, path, body, authorization);
            assertThat(answer.status())
                    .as(method + " " + path + " with '" + authorization + "' " + answer)
                    .isEqualTo(status);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/health/nothing",
                "/actuator/health/liveness/deeper",
                "/actuator/health/..%2f..%2fetc",
                "/actuator/health/%2f",
                "/actuator/health/a%20b",
                "/swagger-ui/..%2f..%2fapplication.yaml",
                "/swagger-ui/nothing.js",
                "/v3/api-docs/nothing",
                "/assets/nothing",
                "/assets/",
                "/assets/pages",
                "/assets/..%2findex.html",
                "/assets/uplot/..%2f..%2f..%2f..%2f..%2f..%2fapplication.yaml",
                "/index.html",
                "/console/index.html",
                "/favicon.ico",
                "/index.html.bak"
            })
    void whatIsNotThereIsA404InTheOneFormOrNeedsALogin(String path) {
        RawExchange nobody = call("GET", path, "", "none");
        assertThat(nobody.status()).as(nobody.toString()).isIn(404, 401);
        ErrorForm.require(nobody);
        RawExchange root = RawExchange.get(port, path);
        assertThat(root.status()).as(root.toString()).isEqualTo(404);
        ErrorForm.require(root);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "*/*", "image/png", "text/html", ""})
    void pingAndMetricsAreTextWhateverIsAccepted(String accept) {
        assertThat(RawExchange.get(port, "/ping", "Accept: " + accept).body()).isEqualTo("pong");
        RawExchange metrics = RawExchange.get(port, "/metrics", "Accept: " + accept);
        assertThat(metrics.status()).isEqualTo(200);
        assertThat(metrics.header("Content-Type")).startsWith("application/openmetrics-text");
    }

    @Test
    void noOriginIsAllowedUnlessOneIsConfigured() {
        RawExchange answer = RawExchange.get(port, "/streams", "Origin: https://console.example.org");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).noneMatch(h -> h.startsWith("Access-Control"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /stats",
                "GET /metrics",
                "GET /streams",
                "GET /users/me",
                "GET /cluster/metadata",
                "GET /options/topic",
                "GET /clients",
                "GET /recovery",
                "GET /personal-access-tokens",
                "DELETE /users/logout",
                "POST /ping",
                "DELETE /",
                "GET /users/login",
                "POST /snapshot",
                "GET /actuator",
                "GET /actuator/info",
                "GET /actuator/prometheus",
                "GET /actuator/env",
                "GET /pingpong",
                "GET /error",
                "GET /no/such/path",
                "OPTIONS /streams"
            })
    void everythingElseNeedsALogin(String request) {
        String[] parts = request.split(" ");
        RawExchange nobody = call(parts[0], parts[1], "", "none");
        assertThat(nobody.status()).as(request).isEqualTo(401);
        ErrorForm.require(nobody);
        assertThat(nobody.json().path("id").asInt()).isEqualTo(77);
        assertThat(nobody.headers().stream().filter(h -> h.startsWith("WWW-Authenticate")))
                .containsExactly("WWW-Authenticate: Bearer");
        RawExchange stale = call(parts[0], parts[1], "", " Bearer stale.to.ken");
        assertThat(stale.status()).as(request).isEqualTo(401);
        assertThat(stale.json().path("id").asInt()).isEqualTo(40);
    }
}
