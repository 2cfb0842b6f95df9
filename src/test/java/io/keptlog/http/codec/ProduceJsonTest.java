// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.domain.message.RecordReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProduceJsonTest {
    private static final int BODY_MAX_BYTES = 4_000_000;
    private static final String BALANCED = "\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"}";
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456789Z");

    private final ProduceCodec codec = new ProduceCodec(BODY_MAX_BYTES, new BufferPool(), () -> NOW);

    private ProduceBody read(byte[] body) {
        return codec.readJson(new ByteArrayInputStream(body), body.length);
    }

    private List<StoredMessage> messages(String... messages) {
        try (ProduceBody body = read(batch(messages).getBytes(UTF_8))) {
            return StoredMessage.of(body.batch());
        }
    }

    private static String batch(String... messages) {
        return "{" + BALANCED + ",\"messages\":[" + String.join(",", messages) + "]}";
    }

    private StoredMessage message(String message) {
        return messages(message).getFirst();
    }

    private void refused(byte[] body, ErrorCode code, @Nullable String field) {
        try (ProduceBody taken = read(body)) {
            throw new AssertionError("taken: " + taken.batch().count() + " of "
                    + new String(body, 0, Math.min(body.length, 300), ISO_8859_1));
        } catch (KeptlogException e) {
            assertThat(e.code()).as(e.reason()).isEqualTo(code);
            assertThat(e.field()).as(e.reason()).isEqualTo(field);
            if (field != null) {
                assertThat(e.reason()).contains(field);
            }
        }
    }

    private void refused(String body, ErrorCode code, @Nullable String field) {
        refused(body.getBytes(UTF_8), code, field);
    }

    private void messageRefused(String message, ErrorCode code, String member) {
        String good = "{\"payload\":\"YQ==\"}";
        refused(batch(good, good, message, good), code, "messages[2]" + member);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    // --- what is taken ---

    @Test
    void payloadsRoundTripByteForByte() {
        byte[] allBytes = new byte[256];
        for (int i = 0; i < 256; i++) {
            allBytes[i] = (byte) i;
        }
        List<byte[]> payloads = List.of(
                "1".getBytes(UTF_8), "abc".getBytes(UTF_8), new byte[1], "\uD83D\uDE00".getBytes(UTF_8), allBytes);
        for (byte[] payload : payloads) {
            assertThat(message("{\"payload\":\"" + base64(payload) + "\"}").payloadHex())
                    .isEqualTo(hex(payload));
        }
    }

    @Test
    void payloadsOfEveryLengthRoundTripAlsoAcrossDecoderChunks() {
        for (int length : new int[] {2, 3, 4, 5, 100, 49_151, 49_152, 49_153, 98_304, 98_305, 1_000_000}) {
            byte[] payload = new byte[length];
            new java.util.Random(length).nextBytes(payload);
            assertThat(message("{\"payload\":\"" + base64(payload) + "\"}").payloadHex())
                    .isEqualTo(hex(payload));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"YQ==", "YQ", "\\u0059Q=\\u003d", "YQ=\\u003D"})
    void base64IsTakenWithItsPaddingOrWithoutAndWithJsonEscapes(String text) {
        assertThat(message("{\"payload\":\"" + text + "\"}").payloadHex()).isEqualTo("61");
    }

    @Test
    void slashesMayBeEscapedAsSomeEncodersDo() {
        byte[] payload = new byte[90_000];
        java.util.Arrays.fill(payload, (byte) 0xFF);
        String escaped = base64(payload).replace("/", "\\/");
        assertThat(message("{\"payload\":\"" + escaped + "\",\"extra\":\"\\n\"}")
                        .payloadHex())
                .isEqualTo(hex(payload));
    }

    @ParameterizedTest
    @CsvSource({
        "9007199254740993, 9007199254740993",
        "9223372036854775808, 9223372036854775808",
        "18446744073709551615, 18446744073709551615",
        "'\"9007199254740993\"', 9007199254740993",
        "'\"18446744073709551616\"', 18446744073709551616",
        "'\"340282366920938463463374607431768211455\"', 340282366920938463463374607431768211455",
        "'\"ffffffffffffffffffffffffffffffff\"', 340282366920938463463374607431768211455",
        "'\"00000000-0000-0001-0000-000000000000\"', 18446744073709551616",
        "1, 1"
    })
    void idsAreKeptExactly(String id, String expected) {
        assertThat(message("{\"id\":" + id + ",\"payload\":\"YQ==\"}").id()).isEqualTo(new BigInteger(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\"id\":0,", "\"id\":null,", "\"id\":\"0\",", "\"header\":{\"id\":0},", "\"header\":7,"})
    void aMessageWithoutAnIdGetsARandomOne(String id) {
        String text = "{" + id + "\"payload\":\"YQ==\"}";
        assertThat(messages(text, text))
                .extracting(StoredMessage::id)
                .doesNotHaveDuplicates()
                .doesNotContain(BigInteger.ZERO);
    }

    @Test
    void theSdksHeaderGivesTheIdWhenThereIsNoneAtTheTop() {
        String wide = "340282366920938463463374607431768211455";
        assertThat(message("{\"header\":{\"id\":" + wide + ",\"offset\":0},\"payload\":\"YQ==\"}")
                        .id())
                .isEqualTo(new BigInteger(wide));
        assertThat(message("{\"header\":{\"id\":5},\"payload\":\"YQ==\",\"id\":6}")
                        .id())
                .isEqualTo(BigInteger.valueOf(6));
        assertThat(message("{\"id\":6,\"header\":{\"id\":5},\"payload\":\"YQ==\"}")
                        .id())
                .isEqualTo(BigInteger.valueOf(6));
        assertThat(message("{\"id\":null,\"header\":{\"id\":5},\"payload\":\"YQ==\"}")
                        .id())
                .isEqualTo(BigInteger.valueOf(5));
    }

    @Test
    void unknownMembersOfAMessageAndOfPartitioningArePassedOver() {
        String body = "{\"messages\":[{\"size\":3,\"x\":{\"a\":[1,-2.5e+3,true,false,null,\"\\ud83d\\ude00\u00e9\"]},"
                + "\"payload\":\"YQ==\",\"size\":4}],"
                + " \"partitioning\" : {\"size\":[{}],\"value\":\"a2V5\",\"kind\":\"messages_key\"}}\n";
        try (ProduceBody taken = read(body.getBytes(UTF_8))) {
            assertThat(taken.partitioning())
                    .isInstanceOfSatisfying(Partitioning.MessagesKey.class, k -> assertThat(k.key())
                            .isEqualTo("key".getBytes(UTF_8)));
            assertThat(StoredMessage.of(taken.batch())).hasSize(1);
        }
    }

    @Test
    void memberNamesMayBeEscaped() {
        assertThat(message("{\"p\\u0061yload\":\"YQ==\"}").payloadHex()).isEqualTo("61");
    }

    @ParameterizedTest
    @CsvSource({"AAAAAA==, 0", "AQAAAA==, 1", "/////w==, 4294967295", "AAEAAA==, 256"})
    void aPartitionIdIsFourBytesLittleEndian(String value, long id) {
        String body = "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"" + value
                + "\"},\"messages\":[{\"payload\":\"YQ==\"}]}";
        try (ProduceBody taken = read(body.getBytes(UTF_8))) {
            assertThat(taken.partitioning()).isEqualTo(new Partitioning.PartitionId(id));
        }
    }

    @Test
    void messagesCarryTheTimeTheyWereRead() {
        try (ProduceBody taken = read(batch("{\"payload\":\"YQ==\"}").getBytes(UTF_8))) {
            var reader = new RecordReader(StoredMessage.runOf(taken.batch(), 0, 0));
            assertThat(reader.next()).isTrue();
            assertThat(reader.originTimestampMicros()).isEqualTo(NOW.getEpochSecond() * 1_000_000 + 123_456);
        }
    }

    @Test
    void userHeadersOfEveryKindAreStoredInRawForm() {
        var list = new ArrayList<String>();
        var expected = new StringBuilder();
        for (io.keptlog.domain.message.HeaderKind kind : io.keptlog.domain.message.HeaderKind.values()) {
            int length = 1;
            while (!kind.takes(length)) {
                length++;
            }
            byte[] value = new byte[length];
            java.util.Arrays.fill(value, (byte) kind.code());
            String part = "{\"value\":\"" + base64(value) + "\",\"kind\":\"" + kind.wireName() + "\"}";
            list.add("{\"value\":" + part + ",\"key\":" + part + ",\"more\":1}");
            String stored = String.format("%02x%02x000000", kind.code(), length) + hex(value);
            expected.append(stored).append(stored);
        }
        StoredMessage message = message("{\"payload\":\"YQ==\",\"user_headers\":[" + String.join(",", list) + "]}");
        assertThat(message.headersForm()).isEqualTo(1);
        assertThat(message.headersHex()).isEqualTo(expected.toString());
        assertThat(message.payloadHex()).isEqualTo("61");
    }

    @Test
    void rawUserHeadersAreStoredAsTheyAre() {
        StoredMessage message = message("{\"user_headers\":\"AQID\",\"payload\":\"YQ==\"}");
        assertThat(message.headersForm()).isEqualTo(2);
        assertThat(message.headersHex()).isEqualTo("010203");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\"\""})
    void noUserHeaders(String none) {
        StoredMessage message = message("{\"user_headers\":" + none + ",\"payload\":\"YQ==\"}");
        assertThat(message.headersForm()).isZero();
        assertThat(message.headersHex()).isEmpty();
    }

    // --- what is refused ---

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

    @Test
    void aMillionMessagesIsTheMost() {
        var large = new ProduceCodec(64_000_000, new BufferPool(), () -> NOW);
        String message = "{\"payload\":\"YQ\"},";
        byte[] most = batch(message.repeat(999_999) + "{\"payload\":\"YQ\"}").getBytes(UTF_8);
        try (ProduceBody taken = large.readJson(new ByteArrayInputStream(most), -1)) {
            assertThat(taken.batch().count()).isEqualTo(1_000_000);
        }
        byte[] more = batch(message.repeat(1_000_000) + "{\"payload\":\"YQ\"}").getBytes(UTF_8);
        try (ProduceBody taken = large.readJson(new ByteArrayInputStream(more), -1)) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_MESSAGES);
        }
    }

    @Test
    void aPayloadOverSixtyFourMillionBytesIsRefused() {
        var large = new ProduceCodec(100_000_000, new BufferPool(), () -> NOW);
        byte[] body =
                batch("{\"payload\":\"" + "AAAA".repeat(21_333_334) + "\"}").getBytes(ISO_8859_1);
        try (ProduceBody taken = large.readJson(new ByteArrayInputStream(body), -1)) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.TOO_BIG_MESSAGE_PAYLOAD);
            assertThat(e.field()).isEqualTo("messages[0].payload");
        }
    }

    // --- the body's stream ---

    /** Hands out the body in small pieces, then ends, or fails. */
    private static InputStream pieces(byte[] body, int size, @Nullable IOException failure) {
        return new InputStream() {
            private int at;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                if (at == body.length) {
                    if (failure != null) {
                        throw failure;
                    }
                    return -1;
                }
                int count = Math.min(Math.min(size, length), body.length - at);
                System.arraycopy(body, at, into, offset, count);
                at += count;
                return count;
            }
        };
    }

    @Test
    void theBodyMayComeInAnyPieces() {
        byte[] body = batch(String.join(",", java.util.Collections.nCopies(3000, "{\"payload\":\"YWJj\"}")))
                .getBytes(UTF_8);
        for (int size : new int[] {1, 7, 4096, 1_000_000}) {
            for (long declared : new long[] {-1, body.length}) {
                try (ProduceBody taken = codec.readJson(pieces(body, size, null), declared)) {
                    assertThat(taken.batch().count()).isEqualTo(3000);
                }
            }
        }
    }

    @Test
    void aBodyOverTheMaximumIsRefusedDeclaredOrCounted() {
        String good = batch("{\"payload\":\"YQ==\"}");
        byte[] most = (good + " ".repeat(BODY_MAX_BYTES - good.length())).getBytes(UTF_8);
        try (ProduceBody taken = codec.readJson(pieces(most, 65_536, null), -1)) {
            assertThat(taken.batch().count()).isEqualTo(1);
        }
        byte[] more = java.util.Arrays.copyOf(most, BODY_MAX_BYTES + 1);
        streamRefused(pieces(more, 65_536, null), -1, ErrorCode.PAYLOAD_TOO_LARGE);
        streamRefused(
                pieces(new byte[0], 1, new IOException("must not be read")),
                BODY_MAX_BYTES + 1,
                ErrorCode.PAYLOAD_TOO_LARGE);
        streamRefused(pieces(new byte[0], 1, null), Long.MAX_VALUE, ErrorCode.PAYLOAD_TOO_LARGE);
    }

    @Test
    void aBodyThatEndsEarlyOrStallsIsRefused() {
        byte[] body = batch("{\"payload\":\"YQ==\"}").getBytes(UTF_8);
        streamRefused(pieces(body, 10, null), body.length + 1, ErrorCode.INVALID_FORMAT);
        streamRefused(pieces(body, 10, new IOException("reset")), -1, ErrorCode.INVALID_FORMAT);
        streamRefused(
                pieces(body, 10, new IOException(new SocketTimeoutException())),
                body.length,
                ErrorCode.REQUEST_TIMEOUT);
    }

    private void streamRefused(InputStream in, long declared, ErrorCode code) {
        try (ProduceBody taken = codec.readJson(in, declared)) {
            throw new AssertionError("taken: " + taken);
        } catch (KeptlogException e) {
            assertThat(e.code()).as(e.reason()).isEqualTo(code);
        }
    }

    @Test
    void aRefusedBodyLeavesNothingBehindThatGrows() {
        String deep = batch("{\"payload\":\"YQ==\",\"x\":" + "[".repeat(1_900_000) + "}");
        byte[] body = deep.getBytes(UTF_8);
        for (int i = 0; i < 20; i++) {
            refused(body, ErrorCode.INVALID_FORMAT, "messages[0]");
        }
        System.gc();
        long before = usedBytes();
        for (int i = 0; i < 200; i++) {
            refused(body, ErrorCode.INVALID_FORMAT, "messages[0]");
        }
        System.gc();
        assertThat(usedBytes()).isCloseTo(before, within(16L << 20));
    }

    private static long usedBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
