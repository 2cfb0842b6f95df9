// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Numbers in queries are exact or refused. */
@EdgeTest
class NumbersTest {
    @LocalServerPort
    int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1",
                "007",
                "2147483648",
                "9007199254740993",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551615"
            })
    void aU64IsExact(String number) {
        RawExchange answer = RawExchange.get(port, "/echo-number?u64=" + number);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("u64").asString()).isEqualTo(number.replaceFirst("^0+(?=.)", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "%2B1",
                "+1",
                "18446744073709551616",
                "99999999999999999999999999999999",
                "1e3",
                "1.0",
                "%201",
                "1%20",
                "",
                "0x1",
                "%D9%A1",
                "1_000",
                "NaN",
                "null"
            })
    void whatIsNoU64IsRefused(String number) {
        RawExchange answer = RawExchange.get(port, "/echo-number?u64=" + number);
        assertThat(answer.status()).isEqualTo(400);
        ErrorForm.require(answer);
        assertThat(answer.json().path("field").asString()).isEqualTo("u64");
    }

    @Test
    void aU32EndsAtFourBillion() {
        assertThat(RawExchange.get(port, "/echo-number?u32=4294967295")
                        .json()
                        .path("u32")
                        .asLong())
                .isEqualTo(4_294_967_295L);
        for (String number : new String[] {"4294967296", "18446744073709551615", "-1", "", "1e3"}) {
            assertThat(RawExchange.get(port, "/echo-number?u32=" + number).status())
                    .isEqualTo(400);
        }
    }
}
