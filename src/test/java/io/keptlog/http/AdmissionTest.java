// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The server lets in what it has room for, says what else to do, and gives all room back. */
@EdgeTest
class AdmissionTest {
    private static final int LARGEST = 100_000;

    @LocalServerPort
    int port;

    @Autowired
    EdgeTestApplication.Echo echo;

    @Test
    void bodiesAndWritesOfOneUserAreLimitedAndAllRoomIsGivenBack() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<RawExchange>> held = new ArrayList<>();
            held.add(CompletableFuture.supplyAsync(() -> produce(LARGEST), clients));
            held.add(CompletableFuture.supplyAsync(() -> produce(LARGEST), clients));
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> echo.entered.get() == 2);
            refused(produce(LARGEST), 503, "server_busy");

            held.add(CompletableFuture.supplyAsync(() -> produce(1), clients));
            held.add(CompletableFuture.supplyAsync(() -> produce(1), clients));
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> echo.entered.get() == 4);
            refused(produce(1), 429, "too_many_in_flight_writes");

            echo.released.countDown();
            for (CompletableFuture<RawExchange> one : held) {
                assertThat(one.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
            }
        }
        for (int i = 0; i < 10; i++) {
            RawExchange answer = produce(LARGEST);
            assertThat(answer.json().path("length").asInt()).isEqualTo(LARGEST);
        }
    }

    private static void refused(RawExchange answer, int status, String code) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        ErrorForm.require(answer);
        assertThat(answer.json().path("code").asString()).isEqualTo(code);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
    }

    private RawExchange produce(int length) {
        return RawExchange.send(
                port,
                "POST /echo/messages HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC
                        + "\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: " + length
                        + "\r\n\r\n" + "x".repeat(length));
    }
}
