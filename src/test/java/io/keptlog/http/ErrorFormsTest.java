// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.http.error.ErrorStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** How every error looks on the wire, whatever causes it (http-api §5). */
@EdgeTest
class ErrorFormsTest {
    @LocalServerPort
    int port;

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeHasTheOneForm(ErrorCode code) {
        for (int retrySeconds : new int[] {0, 7}) {
            RawExchange answer = RawExchange.get(port, "/echo-error/" + code + "?retry=" + retrySeconds);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(ErrorStatus.of(code));
            ErrorForm.require(answer);
            assertThat(answer.json().path("id").asInt()).isEqualTo(code.id());
            assertThat(answer.json().path("code").asString()).isEqualTo(code.code());
            assertThat(answer.json().path("field").asString()).isEqualTo("echoed");
            assertThat(answer.json().path("reason").asString()).isEqualTo("Reason of " + code + ": \"\u20ac\".");
            assertThat(answer.header("Retry-After")).isEqualTo(retrySeconds == 0 ? "" : "7");
            assertThat(answer.header("WWW-Authenticate")).isEqualTo(answer.status() == 401 ? "Bearer" : "");
        }
    }

    /** A status without a word, from a filter or the container; one that has no code of its own becomes the one that says the same. */
    @ParameterizedTest
    @ValueSource(
            ints = {400, 401, 403, 404, 405, 406, 408, 410, 412, 413, 414, 415, 418, 431, 500, 501, 503, 504, 505, 507})
    void aBareStatusGetsTheOneForm(int status) {
        RawExchange answer = RawExchange.get(port, "/echo-status/" + status);
        int expected =
                switch (status) {
                    case 410, 418, 501, 505 -> 400;
                    case 504, 507 -> 500;
                    default -> status;
                };
        assertThat(answer.status()).as(answer.toString()).isEqualTo(expected);
        ErrorForm.require(answer);
        assertThat(answer.json().path("id").asInt())
                .isIn(expected, expected == 401 ? 40 : expected, expected == 403 ? 41 : expected);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo(status == 401 ? "Bearer" : "");
    }
}
