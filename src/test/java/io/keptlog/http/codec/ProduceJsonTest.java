// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.message.Partitioning;
import io.keptlog.domain.message.RecordReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What SendMessages takes, and what is stored of it. */
class ProduceJsonTest extends ProduceJsonFixture {
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
}
