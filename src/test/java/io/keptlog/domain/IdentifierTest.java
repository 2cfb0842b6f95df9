// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is an id and what is a name (http-api §1). */
class IdentifierTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "7, 7",
        "007, 7",
        "2147483648, 2147483648",
        "4294967295, 4294967295",
        "00000000000000000000000000000000004294967295, 4294967295",
        "0000000000000000, 0"
    })
    void digitsThatFitU32AreAnId(String text, long id) {
        assertThat(Identifier.parse(text, "x")).isEqualTo(new Identifier.Numeric(id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4294967296",
                "04294967296",
                "9999999999",
                "18446744073709551615",
                "-1",
                "+1",
                " 1",
                "1 ",
                "1.0",
                "1e3",
                "0x1",
                "\u0661",
                "\uff11",
                "a",
                "."
            })
    void everythingElseIsAName(String text) {
        assertThat(Identifier.parse(text, "x")).isEqualTo(new Identifier.Name(text));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 256})
    void nothingAndMoreThan255BytesAreNeither(int length) {
        for (String text : new String[] {"x".repeat(length), "1".repeat(length)}) {
            assertThatThrownBy(() -> Identifier.parse(text, "stream_id"))
                    .isInstanceOfSatisfying(KeptlogException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_IDENTIFIER);
                        assertThat(e.field()).isEqualTo("stream_id");
                    });
        }
    }
}
