// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Whoever refuses (Tomcat, the firewall, Spring MVC, the admission filter), the answer has one shape and a client's fault is a 4xx. */
@EdgeTest
class RefusalsTest {
    @LocalServerPort
    int port;

    static Stream<Arguments> whatTomcatRefuses() {
        String host = " HTTP/1.1\r\nHost: x\r\n";
        return Stream.of(
                Arguments.of("no request line at all", "NONSENSE\r\n\r\n", 400),
                Arguments.of("no host", "GET /ping HTTP/1.1\r\n\r\n", 400),
                Arguments.of("two hosts", "GET /ping" + host + "Host: y\r\n\r\n", 400),
                Arguments.of("header without colon", "GET /ping" + host + "Broken header\r\n\r\n", 400),
                Arguments.of("bad escape", "GET /streams/%zz" + host + "\r\n", 400),
                Arguments.of("raw angle bracket", "GET /streams/a<b" + host + "\r\n", 400),
                Arguments.of("unknown protocol", "GET /ping HTTP/9.9\r\nHost: x\r\n\r\n", 400),
                Arguments.of("a method for proxies", "CONNECT x:80" + host + "\r\n", 400),
                Arguments.of(
                        "a transfer encoding that nobody knows",
                        "POST /echo-body" + host + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                        400),
                Arguments.of("an expectation", "POST /echo-body" + host + "Expect: the-worst\r\n\r\n", 400),
                Arguments.of("huge request line", "GET /" + "x".repeat(20_000) + host + "\r\n", 400),
                Arguments.of("huge header", "GET /ping" + host + "Big: " + "x".repeat(20_000) + "\r\n\r\n", 400),
                Arguments.of(
                        "two lengths",
                        "POST /echo-body" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
                        400),
                Arguments.of("no number as length", "POST /echo-body" + host + "Content-Length: x\r\n\r\n{}", 400),
                Arguments.of("trace", "TRACE /ping" + host + "\r\n", 405));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatTomcatRefuses(String name, String request, int status) {
        RawExchange answer = RawExchange.send(port, request);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        ErrorForm.require(answer);
    }

    /** A parser of YAML is on the class path for the documentation: it is for nothing else. */
    @ParameterizedTest
    @CsvSource({"Content-Type, 415", "Accept, 406"})
    void yamlIsNeitherReadNorWritten(String header, int status) {
        String method = status == 415 ? "POST" : "GET";
        RawExchange answer = RawExchange.send(
                port,
                method + " /users HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC + "\r\nConnection: close\r\n" + header
                        + ": application/yaml\r\nContent-Length: 9\r\n\r\nname: why");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        ErrorForm.require(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /no/such/path, 404, not_found",
        "GET, /error, 404, not_found",
        "PATCH, /users, 405, method_not_allowed",
        "FOO, /users, 405, method_not_allowed",
        "DELETE, /users, 405, method_not_allowed",
        "POST, /users, 415, unsupported_media_type"
    })
    void whatSpringRefuses(String method, String path, int status, String code) {
        String body = method.equals("POST") ? "x" : "";
        RawExchange answer = RawExchange.send(
                port,
                method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC
                        + "\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        ErrorForm.require(answer);
        assertThat(answer.json().path("code").asString()).isEqualTo(code);
        if (status == 415) {
            assertThat(answer.json().path("reason").asString())
                    .endsWith("; send Content-Type: application/json, application/*+json.");
        }
        if (status == 405) {
            assertThat(answer.header("Allow")).contains("GET").contains("POST");
        }
        if (status == 415) {
            assertThat(answer.header("Accept")).contains("application/json");
        }
    }

    @Test
    void aRepresentationThatDoesNotExistIs406() {
        RawExchange answer = RawExchange.get(port, "/users", "Accept: image/png");
        assertThat(answer.status()).isEqualTo(406);
        ErrorForm.require(answer);
    }

    @Test
    void anErrorIsJsonWhateverTheClientAccepts() {
        RawExchange answer = RawExchange.get(port, "/users/99", "Accept: text/csv");
        assertThat(answer.status()).isIn(404, 406);
        ErrorForm.require(answer);
    }

    @Test
    void headIsAnsweredWithoutABody() {
        RawExchange found = RawExchange.request(port, "HEAD", "/echo/a");
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.body()).isEmpty();
        RawExchange missing = RawExchange.request(port, "HEAD", "/no/such/path");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.body()).isEmpty();
    }

    @Test
    void aDefectTellsNothingToTheClient() {
        RawExchange answer = RawExchange.get(port, "/echo-defect");
        assertThat(answer.status()).isEqualTo(500);
        ErrorForm.require(answer);
        assertThat(answer.body()).doesNotContain("secret detail");
        assertThat(answer.json().path("code").asString()).isEqualTo("internal_error");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"a\":|400", "''|400", "nonsense|400", "[]|400", "{} {}|400", "{\"a\":1}|200"})
    void malformedJsonIsAClientsFault(String body, int status) {
        RawExchange answer = post("/echo-body", body, "Content-Type: application/json");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (status != 200) {
            ErrorForm.require(answer);
        }
    }

    @Test
    void deepJsonAndLongNumbersAreAClientsFault() {
        for (String body : new String[] {
            "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000),
            "{\"a\":" + "[".repeat(40_000) + "]".repeat(40_000) + "}",
            "{\"a\":" + "9".repeat(10_000) + "}"
        }) {
            RawExchange answer = post("/echo-body", body, "Content-Type: application/json");
            assertThat(answer.status()).isEqualTo(400);
            ErrorForm.require(answer);
        }
    }

    @Test
    void aContentEncodingIsRefused() {
        RawExchange answer = post("/echo-body", "{}", "Content-Type: application/json", "Content-Encoding: gzip");
        assertThat(answer.status()).isEqualTo(415);
        ErrorForm.require(answer);
        assertThat(answer.header("Accept-Encoding")).isEqualTo("identity");
    }

    @Test
    void aBodyThatIsTooLongIsRefusedWithAndWithoutALength() {
        String body = "{\"a\":\"" + "x".repeat(100_001) + "\"}";
        RawExchange known = post("/echo-body", body, "Content-Type: application/json");
        assertThat(known.status()).isEqualTo(413);
        ErrorForm.require(known);

        RawExchange chunked = RawExchange.send(
                port,
                "POST /echo-body HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC
                        + "\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
        assertThat(chunked.status()).as(chunked.toString()).isEqualTo(413);
        ErrorForm.require(chunked);
    }

    @Test
    void aBodyThatEndsEarlyIsAClientsFault() {
        RawExchange answer = RawExchange.send(
                port,
                "POST /echo-body HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC
                        + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":");
        assertThat(answer.status()).isIn(-1, 400);
    }

    private RawExchange post(String path, String body, String... headers) {
        return RawExchange.send(
                port,
                "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC + "\r\nConnection: close\r\n"
                        + String.join("\r\n", headers) + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }
}
