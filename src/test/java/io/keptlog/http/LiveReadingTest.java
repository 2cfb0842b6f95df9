// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.service.live.Vigils;
import io.keptlog.system.harness.EventStream;
import io.keptlog.system.harness.EventStream.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.MockMvc;

/** Streams of server-sent events over real connections: what a reader gets, how it goes on, and how it ends. */
@ServerTest
class LiveReadingTest {
    private static final Duration SOON = Duration.ofSeconds(15);

    private final MockMvc mvc;
    private final Fixture fixture;
    private final Vigils vigils;

    @LocalServerPort
    private int port;

    @Autowired
    LiveReadingTest(MockMvc mvc, Vigils vigils) {
        this.mvc = mvc;
        this.fixture = Fixture.of(mvc);
        this.vigils = vigils;
    }

    @AfterEach
    void everyReaderThatHasGoneIsForgotten() {
        await().atMost(SOON).until(() -> vigils.count() == 0);
    }

    private EventStream open(String topic, String query, String... headers) {
        String[] all = new String[headers.length + 1];
        all[0] = RawExchange.BASIC;
        System.arraycopy(headers, 0, all, 1, headers.length);
        return EventStream.open(port, topic + "/messages?" + query, all);
    }

    private static String after(String id) {
        return "Last-Event-ID: " + id;
    }

    private static List<Long> offsets(List<Event> events) {
        return events.stream().filter(Event::isMessage).map(Event::offset).toList();
    }

    private static List<Long> upTo(long end) {
        return LongStream.range(0, end).boxed().toList();
    }

    @Test
    void aStreamHasWhatIsThereAndThenWhatComesEachOnceAndInOrder() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a", "b");
        try (EventStream stream = open(topic, "kind=first").expectOk()) {
            List<Event> events = new ArrayList<>(stream.messages(2));
            for (int i = 0; i < 20; i++) {
                fixture.send(topic, 0, "c" + i, "d" + i);
                events.addAll(stream.messages(2));
            }
            assertThat(offsets(events)).isEqualTo(upTo(42));
            assertThat(events).allMatch(e -> e.id().equals(Long.toString(e.offset())));
            assertThat(events.getLast().json().path("payload").asString()).isEqualTo(Fixture.base64("d19"));
            assertThat(stream.head()).contains("connection: close").doesNotContain("transfer-encoding");
        }
    }

    @Test
    void anEventsDataIsTheMessageAsAPollHasIt() {
        String topic = fixture.topic(1);
        fixture.root()
                .post(
                        topic + "/messages",
                        """
                        {"partitioning": {"kind": "partition_id", "value": "AAAAAA=="}, "messages": [
                         {"id": "340282366920938463463374607431768211455", "payload": "AAr/DQ==",
                          "user_headers": [{"key": {"kind": "string", "value": "aw=="}, "value": {"kind": "raw", "value": "Cg=="}}]}]}
                        """)
                .expect(201);
        try (EventStream stream = open(topic, "").expectOk()) {
            assertThat(stream.messages(1).getFirst().json())
                    .isEqualTo(fixture.poll(topic, "").at("/messages/0"));
        }
    }

    @Test
    void aSilentStreamSaysThatItIsAliveWithoutAnId() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a");
        try (EventStream stream = open(topic, "kind=first").expectOk()) {
            stream.messages(1);
            for (int i = 0; i < 3; i++) {
                Event beat = stream.next();
                assertThat(beat.name()).isEqualTo("heartbeat");
                assertThat(beat.json().path("next_offset").asLong()).isEqualTo(1);
                assertThat(beat.json().path("current_offset").asLong()).isZero();
            }
            assertThat(stream.lastId()).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @CsvSource({"kind=offset&value=3, 3", "kind=last&count=2, 4", "kind=first, 0", "kind=last&count=0, 6", "'', 0"})
    void aStreamBeginsWhereAPollWould(String query, long first) {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "0", "1", "2", "3", "4", "5");
        try (EventStream stream = open(topic, query).expectOk()) {
            fixture.send(topic, 0, "6");
            assertThat(stream.messages(1).getFirst().offset()).isEqualTo(first);
        }
    }

    @Test
    void aStreamOfWhatIsNextBeginsBehindTheStoredOffsetAndStoresAsItGoes() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "0", "1", "2");
        String offset = topic + "/consumer-offsets";
        fixture.root()
                .put(offset, "{\"consumer_id\": \"live\", \"partition_id\": 0, \"offset\": 0}")
                .expect(204);
        try (EventStream stream = open(topic, "consumer_id=live&kind=next&auto_commit=true")) {
            assertThat(offsets(stream.messages(2))).containsExactly(1L, 2L);
            await().atMost(SOON)
                    .until(() -> fixture.root()
                                    .get(offset + "?consumer_id=live&partition_id=0")
                                    .expect(200)
                                    .json()
                                    .path("stored_offset")
                                    .asLong()
                            == 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ids=offset", "ids=epoch"})
    void aStreamThatIsCutAtAnyByteGoesOnExactly(String ids) {
        String topic = fixture.topic(1);
        long seed = System.nanoTime();
        System.out.println("aStreamThatIsCutAtAnyByteGoesOnExactly seed " + seed);
        var random = new Random(seed);
        int messages = 4;
        for (int i = 0; i < messages; i++) {
            fixture.send(topic, 0, "x".repeat(1 + random.nextInt(20)));
        }
        byte[] whole = wholeStream(topic, ids, messages);
        for (int cut = 0; cut <= whole.length; cut++) {
            var parser = new EventStream.Parser();
            List<Long> seen = new ArrayList<>(offsets(parser.all(whole, cut)));
            String[] resume = parser.lastId().isEmpty() ? new String[0] : new String[] {after(parser.lastId())};
            if (seen.size() < messages) {
                try (EventStream stream = open(topic, ids, resume).expectOk()) {
                    seen.addAll(offsets(stream.messages(messages - seen.size())));
                }
            }
            assertThat(seen).as("cut after %s bytes", cut).isEqualTo(upTo(messages));
        }
    }

    /** The bytes of a stream up to and with so many messages. */
    private byte[] wholeStream(String topic, String query, int messages) {
        var parser = new EventStream.Parser();
        var bytes = new java.io.ByteArrayOutputStream();
        try (EventStream stream = open(topic, query).expectOk()) {
            for (int seen = 0; seen < messages; ) {
                byte[] one = stream.bytes(1);
                bytes.writeBytes(one);
                Event event = parser.take(one[0]);
                seen += event != null && event.isMessage() ? 1 : 0;
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void idsCarryTheEpochWhenTheReaderWantsThem() {
        String topic = fixture.topic(1);
        long epoch = fixture.send(topic, 0, "a", "b")
                .json()
                .at("/confirmations/0/epoch")
                .asLong();
        try (EventStream stream = open(topic, "ids=epoch")) {
            assertThat(stream.messages(2).getLast().id()).isEqualTo("1@" + epoch);
        }
        try (EventStream stream = open(topic, "", after("0@" + epoch))) {
            assertThat(stream.messages(1).getLast().id()).isEqualTo("1@" + epoch);
        }
    }

    @Test
    void whoeverMayOnlySeeWhatIsPersistedSeesItWhenItIs() {
        String topic = fixture.topic(1);
        try (EventStream stream = open(topic, "visibility=persisted").expectOk()) {
            for (int i = 0; i < 5; i++) {
                fixture.send(topic, 0, "m" + i);
                long offset = stream.messages(1).getFirst().offset();
                assertThat(offset).isEqualTo(i);
                assertThat(fixture.root()
                                .get(topic + "/durability")
                                .expect(200)
                                .json()
                                .at("/partitions/0/persisted_end_offset")
                                .asLong())
                        .isGreaterThan(offset);
            }
        }
    }

    @Test
    void aReaderWhoseNextMessageIsGoneIsToldWhichAndWhy() {
        String topic = fixture.topic(1, "{\"segment_size\":\"1048576\"}");
        fixture.sealAndSync(topic, 3);
        fixture.root().delete(topic + "/partitions/0?segments_count=2").expect(204);
        long first = fixture.poll(topic, "kind=first&count=1")
                .at("/messages/0/header/offset")
                .asLong();
        assertThat(first).isPositive();
        try (EventStream stream = open(topic, "", after("0")).expectOk()) {
            Event gap = stream.news();
            assertThat(gap.name()).isEqualTo("gap");
            assertThat(gap.id()).isEmpty();
            assertThat(gap.json().path("from_offset").asLong()).isEqualTo(1);
            assertThat(gap.json().path("to_offset").asLong()).isEqualTo(first);
            assertThat(gap.json().path("reason").asString()).isEqualTo("deletion");
            assertThat(stream.messages(1).getFirst().offset()).isEqualTo(first);
        }
    }

    @Test
    void aReaderThatHasSeenMoreThanThereIsIsToldAndBeginsAtTheEnd() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a", "b");
        try (EventStream stream = open(topic, "", after("9")).expectOk()) {
            Event gap = stream.news();
            assertThat(gap.name()).isEqualTo("gap");
            assertThat(gap.json().path("from_offset").asLong()).isEqualTo(2);
            assertThat(gap.json().path("to_offset").asLong()).isEqualTo(10);
            assertThat(gap.json().path("reason").asString()).isEqualTo("recovery");
            fixture.send(topic, 0, "c");
            assertThat(stream.messages(1).getFirst().offset()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"topic", "stream", "purge", "partition", "again"})
    void aStreamEndsWithThePartitionsLife(String what) {
        String topic = fixture.topic(2);
        fixture.send(topic, 1, "a");
        try (EventStream stream = open(topic, "partition_id=1").expectOk()) {
            stream.messages(1);
            Api root = fixture.root();
            switch (what) {
                case "topic" -> root.delete(topic).expect(204);
                case "stream" -> root.delete(topic.substring(0, topic.indexOf("/topics")))
                        .expect(204);
                case "purge" -> {
                    root.delete(topic + "/purge").expect(204);
                    fixture.send(topic, 1, "of another life");
                }
                case "partition" -> root.delete(topic + "/partitions?partitions_count=1")
                        .expect(204);
                default -> {
                    root.delete(topic + "/partitions?partitions_count=1").expect(204);
                    root.post(topic + "/partitions", "{\"partitions_count\": 1}")
                            .expect(200);
                    fixture.send(topic, 1, "of another life");
                }
            }
            Event end = stream.news();
            assertThat(end).isNotNull();
            assertThat(end.name()).isEqualTo("end");
            assertThat(end.json().path("code").asString()).isEqualTo("partition_not_found");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void aStreamEndsWhenItsTokenIsLoggedOut() {
        String topic = fixture.topic(1);
        String token = Api.session(mvc, "iggy", "secret").authorization();
        try (EventStream stream = EventStream.open(port, topic + "/messages", "Authorization: " + token)
                .expectOk()) {
            fixture.send(topic, 0, "a");
            stream.messages(1);
            new Api(mvc, token).delete("/users/logout").expect(204);
            Event end = stream.news();
            assertThat(end.name()).isEqualTo("end");
            assertThat(end.json().path("code").asString()).isEqualTo("unauthenticated");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void aStreamEndsWhenItsReaderMayNotReadAnyMore() {
        String topic = fixture.topic(1);
        String name = Fixture.freshName("reader");
        String user = "{\"username\":\"" + name + "\",\"password\":\"secret-1\",\"status\":\"active\",\"permissions\":"
                + permissions(true) + "}";
        int id = fixture.root()
                .post("/users", user)
                .expect(200)
                .json()
                .path("id")
                .asInt();
        String basic = Api.basic(mvc, name, "secret-1").authorization();
        try (EventStream stream = EventStream.open(port, topic + "/messages", "Authorization: " + basic)
                .expectOk()) {
            fixture.root()
                    .put("/users/" + id + "/permissions", "{\"permissions\":" + permissions(false) + "}")
                    .expect(204);
            Event end = stream.news();
            assertThat(end.name()).isEqualTo("end");
            assertThat(end.json().path("code").asString()).isEqualTo("unauthorized");
        }
    }

    private static String permissions(boolean poll) {
        return "{\"global\":{\"manage_servers\":false,\"read_servers\":false,\"manage_users\":false,\"read_users\":false,"
                + "\"manage_streams\":false,\"read_streams\":false,\"manage_topics\":false,\"read_topics\":false,"
                + "\"poll_messages\":" + poll + ",\"send_messages\":false},\"streams\":null}";
    }

    @Test
    void aReaderThatDoesNotReadIsCutAndCanGoOn() {
        String topic = fixture.topic(1);
        String payload = "x".repeat(60_000);
        try (EventStream slow = EventStream.open(port, 4096, topic + "/messages", RawExchange.BASIC)
                .expectOk()) {
            for (int i = 0; i < 200; i++) {
                fixture.send(topic, 0, payload);
            }
            await().atMost(SOON).until(() -> vigils.count() == 0);
            List<Event> seen = new ArrayList<>();
            try {
                for (Event event = slow.news(); event != null; event = slow.news()) {
                    seen.add(event);
                }
            } catch (java.io.UncheckedIOException e) {
                // It was cut in the middle of an event.
                assertThat(seen).isNotEmpty();
            }
            assertThat(seen).hasSizeLessThan(200);
            try (EventStream again = open(topic, "", after(slow.lastId()))) {
                seen.addAll(again.messages(200 - seen.size()));
            }
            assertThat(offsets(seen)).isEqualTo(upTo(200));
        }
    }

    @Test
    void oneUserHasOnlySoManyReaders() {
        String topic = fixture.topic(1);
        List<EventStream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < ServerTest.LIVE_READERS_PER_USER; i++) {
                streams.add(open(topic, "").expectOk());
            }
            RawExchange refused = RawExchange.get(port, topic + "/messages", "Accept: text/event-stream");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.json().path("code").asString()).isEqualTo("too_many_live_readers");
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(fixture.root()
                            .get(topic + "/messages?wait=1s")
                            .response()
                            .getStatus())
                    .isEqualTo(429);
            fixture.send(topic, 0, "a");
            streams.forEach(s -> s.messages(1));
        } finally {
            streams.forEach(EventStream::close);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', Last-Event-ID: x, 400",
        "'', Last-Event-ID: 1@, 400",
        "'', Last-Event-ID: 1@x, 400",
        "'', Last-Event-ID: -1, 400",
        "'', Last-Event-ID: 18446744073709551616, 400",
        "ids=both, X: x, 400",
        "kind=middle, X: x, 400",
        "partition_id=7, X: x, 404",
        "visibility=all, X: x, 400"
    })
    void whatCannotBeginIsRefusedWithAStatus(String query, String header, int status) {
        RawExchange refused =
                RawExchange.get(port, fixture.topic(1) + "/messages?" + query, "Accept: text/event-stream", header);
        assertThat(refused.status()).as(refused.body()).isEqualTo(status);
        ErrorForm.require(refused.body(), refused.json());
    }

    @Test
    void strangersAndAbsentTopicsGetTheirStatus() {
        String topic = fixture.topic(1);
        RawExchange stranger = RawExchange.send(
                port,
                "GET " + topic
                        + "/messages HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n");
        assertThat(stranger.status()).isEqualTo(401);
        assertThat(RawExchange.get(port, "/streams/none/topics/none/messages", "Accept: text/event-stream")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theHeadOfAStreamAloneBeginsNone() {
        RawExchange head =
                RawExchange.request(port, "HEAD", fixture.topic(1) + "/messages", "Accept: text/event-stream");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).startsWith("text/event-stream");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void manyReadersOfOneTopicEachHaveEverything() {
        String topic = fixture.topic(1);
        int readers = ServerTest.LIVE_READERS_PER_USER;
        List<EventStream> streams = IntStream.range(0, readers)
                .mapToObj(i -> open(topic, "").expectOk())
                .toList();
        try {
            for (int i = 0; i < 50; i++) {
                fixture.send(topic, 0, "m" + i);
            }
            for (EventStream stream : streams) {
                assertThat(offsets(stream.messages(50))).isEqualTo(upTo(50));
            }
        } finally {
            streams.forEach(EventStream::close);
        }
    }
}
