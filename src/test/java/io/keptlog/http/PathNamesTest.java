// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Names in paths, through Tomcat, the firewall and Spring MVC on a real port (http-api §1). */
@EdgeTest
class PathNamesTest {
    @LocalServerPort
    int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "a/b",
                "/",
                "//",
                "a//b",
                "../a",
                "a/..",
                "./.",
                "a%2Fb",
                "%2F",
                "%",
                "100%",
                "%zz",
                "a;x=1",
                ";x",
                "a\\b",
                "..\\..\\etc",
                "...",
                ".hidden",
                "trailing.",
                "trailing ",
                " leading",
                " ",
                "a+b",
                "a?b#c",
                "a&b=c",
                "a:b@c",
                "\"quoted\"",
                "<tag>",
                "{braces}",
                "[brackets]",
                "caf\u00e9",
                "cafe\u0301",
                "\ud83d\ude00 emoji \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
                "\u2028line\u2029paragraph",
                "\u202eright to left",
                "\u65e5\u672c\u8a9e",
                "NUL",
                "CON.txt"
            })
    void everyNameIsReachablePercentEncoded(String name) {
        RawExchange one = RawExchange.get(port, "/echo/" + encoded(name));
        assertThat(one.status()).as(one.body()).isEqualTo(200);
        assertThat(one.json().path("name").asString()).isEqualTo(name);

        RawExchange two = RawExchange.get(port, "/echo/" + encoded(name) + "/inner/" + encoded(name));
        assertThat(two.status()).as(two.body()).isEqualTo(200);
        assertThat(two.json().path("name").asString()).isEqualTo(name);
        assertThat(two.json().path("other").asString()).isEqualTo(name);
    }

    @Test
    void aNameOf255BytesIsReachableInTheLongestSpelling() {
        String name = "\u20ac".repeat(85);
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThat(RawExchange.get(port, "/echo/" + encoded(name))
                        .json()
                        .path("name")
                        .asString())
                .isEqualTo(name);
    }

    @Test
    void aDoublyEncodedSlashIsDecodedOnceOnly() {
        assertThat(RawExchange.get(port, "/echo/a%252Fb").json().path("name").asString())
                .isEqualTo("a%2Fb");
        assertThat(RawExchange.get(port, "/echo/a%2Fb").json().path("name").asString())
                .isEqualTo("a/b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/echo/.",
                "/echo/..",
                "/echo/%2e",
                "/echo/%2E%2E",
                "/echo/.%2e",
                "/echo/./inner/x",
                "/echo/../inner/x",
                "/echo/%2e%2e/inner/x",
                "/echo/a;x",
                "/echo/;x",
                "/echo;jsessionid=1/a",
                "/swagger-ui/..;/streams",
                "/swagger-ui/%2e%2e/streams",
                "/echo/a%00b",
                "/echo/%00",
                "/echo/a%0d%0aSet-Cookie:x",
                "/echo/%01",
                "/echo/%7f",
                "/echo/%c2%85",
                "/echo/%ff",
                "/echo/%c3",
                "/echo/%ed%a0%80",
                "/echo/%c0%ae%c0%ae",
                "/echo/%",
                "/echo/%4",
                "/echo/%zz",
                "/echo//a",
                "//echo/a",
                "/echo/a<b",
                "/echo/a\\b",
                "/echo/{a}",
                "/echo/a|b"
            })
    void whatIsNoNameIsRefusedInTheOneForm(String path) {
        RawExchange answer = RawExchange.get(port, path);
        assertThat(answer.status()).as(path + " " + answer.body()).isIn(400, 404);
        ErrorForm.require(answer);
        assertThat(answer.body()).doesNotContain("Set-Cookie");
    }

    @Test
    void aLineBreakNeverReachesAResponseHeader() {
        RawExchange answer = RawExchange.get(port, "/echo-header?value=a%0d%0aSet-Cookie:%20x=1");
        assertThat(answer.headers()).noneMatch(h -> h.startsWith("Set-Cookie"));
        assertThat(answer.status()).isNotEqualTo(200);
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
