// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SendMessages with wrong values: each refusal names the message and the field. */
class ProduceJsonRefusalTest extends ProduceJsonFixture {
    @ParameterizedTest
    @CsvSource({
        "YQ=, padding",
        "Y, left over",
        "YQ===, padding",
        "YQ==YQ==, character 2",
        "YWJ-, url-safe",
        "YW_j, url-safe",
        "'YWJj\\n', line break",
        "'YW Jj', character 2",
        "hello!, character 5",
        "YR==, more bits",
        "YWI, ok",
        "YWJ, more bits",
        "YWK, more bits",
        "'\u00e9\u00e9\u00e9\u00e9', character 0",
        "====, character 0",
        "=, character 0"
    })
    void anyOtherBase64IsRefusedWithTheMessagesIndex(String text, String reason) {
        String message = "{\"payload\":\"" + text + "\"}";
        if (reason.equals("ok")) {
            assertThat(message(message).payloadHex()).isEqualTo("6162");
            return;
        }
        messageRefused(message, ErrorCode.INVALID_FORMAT, ".payload");
    }

    @Test
    void theReasonSaysWhatIsWrongWithTheBase64() {
        for (String[] pair : new String[][] {
            {"YQ=", "padding"}, {"Y", "cut"}, {"YWJ-", "url-safe"}, {"YWJj\\n", "line break"}, {"YR==", "more bits"}
        }) {
            try (ProduceBody taken =
                    read(batch("{\"payload\":\"" + pair[0] + "\"}").getBytes(UTF_8))) {
                throw new AssertionError("taken: " + taken);
            } catch (KeptlogException e) {
                assertThat(e.reason()).contains(pair[1]).contains("messages[0].payload");
            }
        }
    }

    @Test
    void invalidBase64InAnyDecoderChunkIsRefused() {
        String text = base64(new byte[150_000]);
        for (int at : new int[] {0, 65_534, 65_535, 65_536, 131_071, 131_072, 199_999}) {
            for (char c : new char[] {'=', '!', '-'}) {
                if (c == '=' && at == 199_999) {
                    continue; // "AAA=" is base64
                }
                String broken = text.substring(0, at) + c + text.substring(at + 1);
                messageRefused("{\"payload\":\"" + broken + "\"}", ErrorCode.INVALID_FORMAT, ".payload");
            }
        }
        messageRefused(
                "{\"payload\":\"" + base64(new byte[49_151]) + text + "\"}", ErrorCode.INVALID_FORMAT, ".payload");
    }

    @Test
    void messagesThatAreNotAsTheyShouldBe() {
        messageRefused("{\"payload\":\"\"}", ErrorCode.EMPTY_MESSAGE_PAYLOAD, ".payload");
        messageRefused("{}", ErrorCode.INVALID_COMMAND, ".payload");
        messageRefused("{\"payload\":null}", ErrorCode.INVALID_COMMAND, ".payload");
        messageRefused("{\"payload\":1}", ErrorCode.INVALID_COMMAND, ".payload");
        messageRefused("{\"payload\":\"YQ==\",\"payload\":\"YQ==\"}", ErrorCode.INVALID_COMMAND, ".payload");
        messageRefused("1", ErrorCode.INVALID_COMMAND, "");
        messageRefused("null", ErrorCode.INVALID_COMMAND, "");
        messageRefused("[]", ErrorCode.INVALID_COMMAND, "");
        messageRefused("{\"payload\":\"YQ==\",\"user_headers\":{}}", ErrorCode.INVALID_COMMAND, ".user_headers");
        messageRefused("{\"payload\":\"YQ==\",\"user_headers\":\"!\"}", ErrorCode.INVALID_FORMAT, ".user_headers");
        messageRefused("{\"payload\":\"YQ==\",\"header\":{\"id\":-1}}", ErrorCode.INVALID_COMMAND, ".header.id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1.0",
                "1e3",
                "18446744073709551616",
                "true",
                "{}",
                "[]",
                "\"\"",
                "\"x\"",
                "\"-1\"",
                "\"340282366920938463463374607431768211456\"",
                "\"g0000000000000000000000000000000\""
            })
    void idsThatAreNone(String id) {
        messageRefused("{\"id\":" + id + ",\"payload\":\"YQ==\"}", ErrorCode.INVALID_COMMAND, ".id");
    }

    @Test
    void userHeadersThatAreWrongNameTheHeaderAndItsPart() {
        String good = "{\"kind\":\"string\",\"value\":\"aw==\"}";
        headerRefused("{\"key\":" + good + "}", ErrorCode.INVALID_HEADER_VALUE, ".value");
        headerRefused("{\"value\":" + good + "}", ErrorCode.INVALID_HEADER_KEY, ".key");
        headerRefused("7", ErrorCode.INVALID_COMMAND, "");
        headerRefused("{\"key\":\"k\",\"value\":" + good + "}", ErrorCode.INVALID_COMMAND, ".key");
        for (boolean key : new boolean[] {true, false}) {
            String part = key ? ".key" : ".value";
            ErrorCode code = key ? ErrorCode.INVALID_HEADER_KEY : ErrorCode.INVALID_HEADER_VALUE;
            partRefused(key, "{\"kind\":\"string\"}", code, part + ".value");
            partRefused(key, "{\"value\":\"aw==\"}", code, part + ".kind");
            partRefused(key, "{\"kind\":\"String\",\"value\":\"aw==\"}", code, part + ".kind");
            partRefused(key, "{\"kind\":2,\"value\":\"aw==\"}", code, part + ".kind");
            partRefused(key, "{\"kind\":\"string\",\"value\":\"\"}", code, part + ".value");
            partRefused(key, "{\"kind\":\"string\",\"value\":5}", code, part + ".value");
            partRefused(key, "{\"kind\":\"string\",\"value\":\"k\"}", code, part + ".value");
            partRefused(key, "{\"kind\":\"int32\",\"value\":\"aw==\"}", code, part + ".value");
            partRefused(key, "{\"kind\":\"raw\",\"value\":\"" + base64(new byte[256]) + "\"}", code, part + ".value");
            partRefused(
                    key,
                    "{\"kind\":\"raw\",\"kind\":\"raw\",\"value\":\"aw==\"}",
                    ErrorCode.INVALID_COMMAND,
                    part + ".kind");
        }
    }

    private void partRefused(boolean key, String part, ErrorCode code, String where) {
        String good = "{\"kind\":\"string\",\"value\":\"aw==\"}";
        headerRefused("{\"key\":" + (key ? part : good) + ",\"value\":" + (key ? good : part) + "}", code, where);
    }

    private void headerRefused(String header, ErrorCode code, String where) {
        String good = "{\"kind\":\"string\",\"value\":\"aw==\"}";
        String fine = "{\"key\":" + good + ",\"value\":" + good + "}";
        messageRefused(
                "{\"payload\":\"YQ==\",\"user_headers\":[" + fine + "," + header + "]}",
                code,
                ".user_headers[1]" + where);
    }

    @Test
    void userHeadersUpToAHundredThousandBytesAreTaken() {
        String part = "{\"kind\":\"raw\",\"value\":\"" + base64(new byte[245]) + "\"}";
        String header = "{\"key\":" + part + ",\"value\":" + part + "}";
        String fits = String.join(",", java.util.Collections.nCopies(200, header));
        assertThat(message("{\"payload\":\"YQ==\",\"user_headers\":[" + fits + "]}")
                        .headersHex())
                .hasSize(200_000);
        messageRefused(
                "{\"payload\":\"YQ==\",\"user_headers\":[" + fits + "," + header + "]}",
                ErrorCode.TOO_BIG_USER_HEADERS,
                ".user_headers[200]");
        String raw = base64(new byte[100_001]);
        messageRefused(
                "{\"payload\":\"YQ==\",\"user_headers\":\"" + raw + "\"}",
                ErrorCode.TOO_BIG_USER_HEADERS,
                ".user_headers");
    }

    @Test
    void partitioningThatIsWrong() {
        partitioningRefused("{\"kind\":\"balanced\",\"value\":\"AA==\"}", ErrorCode.INVALID_KEY_VALUE_LENGTH, ".value");
        partitioningRefused(
                "{\"kind\":\"partition_id\",\"value\":\"AA==\"}", ErrorCode.INVALID_KEY_VALUE_LENGTH, ".value");
        partitioningRefused("{\"kind\":\"partition_id\"}", ErrorCode.INVALID_KEY_VALUE_LENGTH, ".value");
        partitioningRefused("{\"kind\":\"messages_key\",\"value\":\"\"}", ErrorCode.INVALID_KEY_VALUE_LENGTH, ".value");
        partitioningRefused(
                "{\"kind\":\"messages_key\",\"value\":\"" + base64(new byte[256]) + "\"}",
                ErrorCode.INVALID_KEY_VALUE_LENGTH,
                ".value");
        partitioningRefused("{\"kind\":\"messages_key\",\"value\":\"!\"}", ErrorCode.INVALID_FORMAT, ".value");
        partitioningRefused("{\"kind\":\"other\",\"value\":\"\"}", ErrorCode.INVALID_COMMAND, ".kind");
        partitioningRefused("{\"value\":\"\"}", ErrorCode.INVALID_COMMAND, ".kind");
        partitioningRefused("{\"kind\":1}", ErrorCode.INVALID_COMMAND, ".kind");
        partitioningRefused("null", ErrorCode.INVALID_COMMAND, "");
        partitioningRefused("\"balanced\"", ErrorCode.INVALID_COMMAND, "");
    }

    private void partitioningRefused(String partitioning, ErrorCode code, String part) {
        refused(
                "{\"messages\":[{\"payload\":\"YQ==\"}],\"partitioning\":" + partitioning + "}",
                code,
                "partitioning" + part);
    }
}
