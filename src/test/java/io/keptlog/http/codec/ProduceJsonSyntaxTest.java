// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are no SendMessages, no JSON or no Unicode. */
class ProduceJsonSyntaxTest extends ProduceJsonFixture {
    @Test
    void bodiesThatAreNoSendMessages() {
        String message = "\"messages\":[{\"payload\":\"YQ==\"}]";
        refused("{" + BALANCED + "," + message + ",\"ack\":1}", ErrorCode.INVALID_COMMAND, "ack");
        refused("{" + message + "}", ErrorCode.INVALID_COMMAND, "partitioning");
        refused("{" + BALANCED + "}", ErrorCode.INVALID_COMMAND, "messages");
        refused("{" + BALANCED + ",\"messages\":[]}", ErrorCode.INVALID_MESSAGES_COUNT, "messages");
        refused("{" + BALANCED + ",\"messages\":{}}", ErrorCode.INVALID_COMMAND, "messages");
        refused("{" + BALANCED + "," + message + "," + message + "}", ErrorCode.INVALID_COMMAND, "messages");
        refused("{" + BALANCED + "," + BALANCED + "," + message + "}", ErrorCode.INVALID_COMMAND, "partitioning");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "nul",
                "{",
                "{\"",
                "{\"messages\"",
                "{\"messages\":",
                "{,}",
                "{\"a\" 1}",
                "\u0000",
                "{'messages':[]}",
                "{\"a\":01}",
                "{\"messages\":[,]}",
                "// x\n{}"
            })
    void bodiesThatAreNotJson(String body) {
        try (ProduceBody taken = read(body.getBytes(UTF_8))) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).isIn(ErrorCode.INVALID_FORMAT, ErrorCode.INVALID_COMMAND);
        }
    }

    @Test
    void whatFollowsTheBodyOrComesBeforeItIsRefused() {
        String good = batch("{\"payload\":\"YQ==\"}");
        refused(good + "x", ErrorCode.INVALID_FORMAT, null);
        refused(good + good, ErrorCode.INVALID_FORMAT, null);
        refused(good + "\u0000", ErrorCode.INVALID_FORMAT, null);
        refused("\uFEFF" + good, ErrorCode.INVALID_FORMAT, null);
    }

    @Test
    void aBodyCutAnywhereIsRefused() {
        byte[] body = batch("{\"id\":12,\"payload\":\"YWJj\",\"x\":[{\"y\":\"\\u00e9\u00e9\"}],\"user_headers\":[]}")
                .getBytes(UTF_8);
        for (int length = 0; length < body.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(body, length);
            try (ProduceBody taken = read(cut)) {
                throw new AssertionError("taken: " + new String(cut, UTF_8) + taken);
            } catch (KeptlogException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FORMAT);
            }
        }
    }

    @Test
    void textThatIsNotUnicodeIsRefused() {
        String[] inLatin1 = {
            "\u00e9",
            "\u00c0\u0080",
            "\u00ed\u00a0\u0080",
            "\u00f4\u0090\u0080\u0080",
            "\u00f8",
            "\u00e2\u0082",
            "\u0080"
        };
        for (String text : inLatin1) {
            refused(
                    batch("{\"payload\":\"YQ==\",\"x\":\"" + text + "\"}").getBytes(ISO_8859_1),
                    ErrorCode.INVALID_FORMAT,
                    "messages[0]");
        }
        for (String text :
                new String[] {"\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x", "\\u12", "\\u12g4", "\\x", "\t"}) {
            refused(batch("{\"payload\":\"YQ==\",\"x\":\"" + text + "\"}"), ErrorCode.INVALID_FORMAT, "messages[0]");
        }
    }

    @Test
    void depthAndLongNumbersAreBoundedAndCostNoMemory() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        messageRefused("{\"payload\":\"YQ==\",\"x\":" + deep + "}", ErrorCode.INVALID_FORMAT, "");
        messageRefused("{\"payload\":\"YQ==\",\"x\":" + "{\"a\":".repeat(100_000) + "}", ErrorCode.INVALID_FORMAT, "");
        refused(deep, ErrorCode.INVALID_FORMAT, null);
        String digits = "9".repeat(10_000);
        messageRefused("{\"payload\":\"YQ==\",\"x\":" + digits + "}", ErrorCode.INVALID_FORMAT, "");
        messageRefused("{\"payload\":\"YQ==\",\"x\":1." + digits + "}", ErrorCode.INVALID_FORMAT, "");
        messageRefused("{\"payload\":\"YQ==\",\"id\":" + digits + "}", ErrorCode.INVALID_FORMAT, ".id");
        messageRefused("{\"payload\":\"YQ==\",\"id\":\"" + digits + "\"}", ErrorCode.INVALID_COMMAND, ".id");
        String fits = "[".repeat(29) + "]".repeat(29);
        assertThat(messages("{\"payload\":\"YQ==\",\"x\":" + fits + "}")).hasSize(1);
        messageRefused("{\"payload\":\"YQ==\",\"x\":[" + fits + "]}", ErrorCode.INVALID_FORMAT, "");
    }
}
