// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/**
 * The same odd numbers at every place that takes one: paths, queries, headers, JSON members and option values. Exact (then the answer is
 * about the number: too large, absent, fine), or 400; never cut to fewer bits, never rounded, never a 5xx.
 */
@ServerTest
class NumbersEverywhereTest {
    private static final List<String> NUMBERS = List.of(
            "-1",
            "2147483648",
            "9007199254740993",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551616",
            "1e3",
            " 1",
            "",
            "1.0",
            "+1",
            "0x10",
            "\u0661");
    private static final BigInteger U32_MAX = BigInteger.ONE.shiftLeft(32).subtract(BigInteger.ONE);
    private static final BigInteger U64_MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /** A place and the statuses of numbers that fit it. */
    private record Place(
            BigInteger max, List<Integer> fits, BiFunction<NumbersEverywhereTest, String, Api.Reply> send) {}

    /** One for all of them: making it costs more than all they do with it. */
    private static String topic = "";

    private static final Map<String, Place> PLACES = new TreeMap<>();

    private static void u32(
            String name, List<Integer> fits, BiFunction<NumbersEverywhereTest, String, Api.Reply> send) {
        PLACES.put(name, new Place(U32_MAX, fits, send));
    }

    private static void u64(
            String name, List<Integer> fits, BiFunction<NumbersEverywhereTest, String, Api.Reply> send) {
        PLACES.put(name, new Place(U64_MAX, fits, send));
    }

    static {
        u32(
                "path partition of segments",
                List.of(404),
                (t, n) -> t.root.delete(topic + "/partitions/" + t.path(n) + "?segments_count=1"));
        u32(
                "path partition of flush",
                List.of(404),
                (t, n) -> t.root.get(topic + "/messages/flush/" + t.path(n) + "/true"));
        u32(
                "path partition of barrier",
                List.of(404),
                (t, n) -> t.root.post(topic + "/partitions/" + t.path(n) + "/flush", ""));
        u32("path client", List.of(404), (t, n) -> t.root.get("/clients/" + t.path(n)));
        u32(
                "query partitions_count",
                List.of(400),
                (t, n) -> t.root.delete(topic + "/partitions?partitions_count=" + t.query(n)));
        u32(
                "query segments_count",
                List.of(204),
                (t, n) -> t.root.delete(topic + "/partitions/0?segments_count=" + t.query(n)));
        u32("query count", List.of(200), (t, n) -> t.root.get(topic + "/messages?count=" + t.query(n)));
        u32(
                "query partition_id of a poll",
                List.of(404),
                (t, n) -> t.root.get(topic + "/messages?partition_id=" + t.query(n)));
        u32(
                "query partition_id of an offset",
                List.of(404),
                (t, n) -> t.root.get(topic + "/consumer-offsets?partition_id=" + t.query(n)));
        u32(
                "query partition_id of a deleted offset",
                List.of(404),
                (t, n) -> t.root.delete(topic + "/consumer-offsets/1?partition_id=" + t.query(n)));
        u64("query value", List.of(200), (t, n) -> t.root.get(topic + "/messages?value=" + t.query(n)));
        u32("header Keptlog-Partition", List.of(404), (t, n) -> t.octets("Keptlog-Partition", n));
        u64("header Keptlog-Producer-Id", List.of(201, 200), (t, n) -> t.producer(n, "1", "0"));
        u32("header Keptlog-Producer-Epoch", List.of(201, 200), (t, n) -> t.producer("81", n, "0"));
        u32("body partitions_count of a topic", List.of(400), (t, n) -> t.create("partitions_count", n));
        u64("body message_expiry", List.of(200), (t, n) -> t.create("message_expiry", n));
        u64("body max_topic_size", List.of(200), (t, n) -> t.create("max_topic_size", n));
        u32(
                "body partitions_count",
                List.of(400),
                (t, n) -> t.root.post(topic + "/partitions", "{\"partitions_count\":" + n + "}"));
        u64("body offset", List.of(400), (t, n) -> t.root.put(topic + "/consumer-offsets", "{\"offset\":" + n + "}"));
        u32(
                "body partition_id",
                List.of(404),
                (t, n) -> t.root.put(topic + "/consumer-offsets", "{\"offset\":0,\"partition_id\":" + n + "}"));
        u32(
                "body consumer_id",
                List.of(204),
                (t, n) -> t.root.put(topic + "/consumer-offsets", "{\"offset\":0,\"consumer_id\":" + n + "}"));
        u64(
                "body expiry",
                List.of(200, 400),
                (t, n) -> t.root.post(
                        "/personal-access-tokens",
                        "{\"name\":\"" + Fixture.freshName("number") + "\",\"expiry\":" + n + "}"));
        u64(
                "body id of a message",
                List.of(201),
                (t, n) -> t.root.post(
                        topic + "/messages",
                        "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[{\"payload\":\"MQ==\",\"id\":" + n
                                + "}]}"));
        u32(
                "body key of permissions",
                List.of(200, 400),
                (t, n) -> t.root.post(
                        "/users",
                        "{\"username\":\"" + Fixture.freshName("numbers")
                                + "\",\"password\":\"a word\",\"permissions\":{\"global\":{},\"streams\":{\"" + n
                                + "\":{}}}}"));
        u32("option messages_required_to_save", List.of(400), (t, n) -> t.option("messages_required_to_save", n));
        u64("option segment_size", List.of(400), (t, n) -> t.option("segment_size", n));
        u64("option message_expiry", List.of(200), (t, n) -> t.option("message_expiry", n));
        u64("option max_topic_size", List.of(200), (t, n) -> t.option("max_topic_size", n));
    }

    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;

    @Autowired
    NumbersEverywhereTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @BeforeEach
    void aTopic() {
        if (topic.isEmpty()) {
            topic = fixture.topic(1);
            fixture.send(topic, 0, "there");
        }
    }

    private String query(String number) {
        return URLEncoder.encode(number, StandardCharsets.UTF_8);
    }

    private String path(String number) {
        return Fixture.encoded(number);
    }

    private Api.Reply create(String member, String number) {
        String stream = topic.replaceAll("/topics.*", "");
        String json = Fixture.topicJson(Fixture.freshName("n"), 1, "{}")
                .replaceAll("\"" + member + "\":\\d+", "\"" + member + "\":" + number);
        return root.post(stream + "/topics", json);
    }

    private Api.Reply option(String key, String number) {
        String stream = topic.replaceAll("/topics.*", "");
        return root.post(
                stream + "/topics",
                Fixture.topicJson(Fixture.freshName("n"), 1, "{\"" + key + "\":\"" + number + "\"}"));
    }

    private Api.Reply octets(String... headers) {
        var request = MockMvcRequestBuilders.post(URI.create(topic + "/messages"))
                .header("Authorization", root.authorization())
                .contentType("application/octet-stream")
                .content("x");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return new Api.Reply(mvc.perform(request).andReturn().getResponse());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Api.Reply producer(String id, String epoch, String sequence) {
        return octets(
                "Keptlog-Partition",
                "0",
                "Keptlog-Producer-Id",
                id,
                "Keptlog-Producer-Epoch",
                epoch,
                "Keptlog-Producer-Sequence",
                sequence);
    }

    static Stream<String> places() {
        return PLACES.keySet().stream();
    }

    private static boolean fits(String number, BigInteger max) {
        return number.chars().allMatch(c -> c >= '0' && c <= '9')
                && !number.isEmpty()
                && new BigInteger(number).compareTo(max) <= 0;
    }

    @ParameterizedTest
    @MethodSource("places")
    void aNumberIsExactOrRefused(String name) {
        Place place = PLACES.get(name);
        for (String number : NUMBERS) {
            Api.Reply reply = place.send().apply(this, number);
            int status = reply.response().getStatus();
            String what = name + " '" + number + "' " + status + " " + reply.body();
            boolean blankInJson = number.equals(" 1") && name.startsWith("body") && !name.contains("key");
            if (blankInJson) {
                // White space before a JSON number belongs to the document, not to the number.
                assertThat(status).as(what).isLessThan(500);
            } else if (fits(number, place.max())) {
                assertThat(status).as(what).isIn(place.fits());
            } else {
                assertThat(status).as(what).isIn(number.isEmpty() && name.startsWith("path") ? 404 : 400, 400);
                ErrorForm.require(reply.body(), reply.json());
            }
        }
    }
}
