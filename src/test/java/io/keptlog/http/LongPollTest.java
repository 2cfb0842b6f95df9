// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.service.live.Vigils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** Polls with {@code wait}: until there is something, or until their time is over. */
@ServerTest
class LongPollTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Fixture fixture;
    private final Vigils vigils;

    @Autowired
    LongPollTest(MockMvc mvc, Vigils vigils) {
        this.fixture = Fixture.of(mvc);
        this.vigils = vigils;
    }

    private Future<Api.Reply> waiting(ExecutorService pool, String topic, String query) {
        int before = vigils.count();
        Future<Api.Reply> reply = pool.submit(() -> fixture.root().get(topic + "/messages?" + query));
        await().atMost(SOON).until(() -> vigils.count() > before || reply.isDone());
        return reply;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind=next",
                "kind=first",
                "kind=last",
                "kind=offset&value=1",
                "kind=timestamp&value=4000000000000000"
            })
    void aPollThatFindsNothingAnswersAsSoonAsThereIsSomething(String start) throws Exception {
        String topic = fixture.topic(1);
        long first = start.startsWith("kind=offset") ? 1 : 0;
        if (first == 1) {
            fixture.send(topic, 0, "before");
        }
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Api.Reply> reply = waiting(pool, topic, start + "&wait=30s");
            boolean future = start.startsWith("kind=timestamp");
            fixture.send(topic, 0, "a");
            if (future) {
                // Nothing is ever appended at that time: it waits on, and ends with the topic.
                assertThat(reply.isDone()).isFalse();
                fixture.root().delete(topic).expect(204);
                reply.get(20, TimeUnit.SECONDS).expect(404);
                return;
            }
            assertThat(Fixture.offsets(
                            reply.get(20, TimeUnit.SECONDS).expect(200).json()))
                    .containsExactly(first);
        }
    }

    @Test
    void manyPollsThatWaitAreAllAnswered() throws Exception {
        String topic = fixture.topic(1);
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                replies.add(waiting(pool, topic, "wait=30s&visibility=persisted"));
            }
            fixture.send(topic, 0, "a");
            for (Future<Api.Reply> reply : replies) {
                assertThat(Fixture.offsets(
                                reply.get(20, TimeUnit.SECONDS).expect(200).json()))
                        .containsExactly(0L);
            }
        }
        assertThat(vigils.count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"150000", "150ms", "0"})
    void aPollWhoseTimeIsOverIsEmpty(String wait) {
        String topic = fixture.topic(1);
        long began = System.nanoTime();
        assertThat(fixture.poll(topic, "wait=" + wait).path("count").asInt()).isZero();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(wait.equals("0") ? 0 : 150));
    }

    @Test
    void aPollThatFindsSomethingDoesNotWait() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a");
        assertThat(CompletableFuture.supplyAsync(() -> fixture.poll(topic, "wait=60s"))
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join()
                        .path("count")
                        .asInt())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"61s", "60000001", "-1", "1.5s", "soon", "''", "18446744073709551616", "1e3"})
    void aWaitThatIsNoneOrTooLongIsRefused(String wait) {
        fixture.root().get(fixture.topic(1) + "/messages?wait=" + wait).refused(400, 4, "invalid_format");
    }
}
