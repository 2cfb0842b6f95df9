// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.keptlog.cli.client.ServerClient;
import io.keptlog.cli.client.ServerRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that answers what it is told, or breaks the connection (status 0). */
class ProducerTest {
    private record Told(int status, String body) {}

    private final Deque<Told> answers = new ArrayDeque<>();
    private final List<String> sequences = new ArrayList<>();
    private HttpServer server;
    private ServerClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            sequences.add(exchange.getRequestHeaders().getFirst("Keptlog-Producer-Sequence"));
            Told told = answers.remove();
            if (told.status() > 0) {
                byte[] body = told.body().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(told.status(), body.length);
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
        client = new ServerClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "Basic x", null);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private Producer producer(Duration retry) {
        return new Producer(client, "/messages", Map.of(), retry.toNanos());
    }

    private static Told confirmed(long base) {
        return new Told(201, "{\"confirmations\":[{\"base_offset\":" + base + "}]}");
    }

    @Test
    void whatGotNoAnswerOrABusyOneIsSentAgainUnderItsNumber() throws Exception {
        answers.addAll(List.of(
                confirmed(0),
                new Told(0, ""),
                new Told(503, "{\"code\":\"server_busy\",\"reason\":\"later\"}"),
                new Told(504, "{\"code\":\"produce_timeout\",\"reason\":\"unknown\"}"),
                confirmed(2),
                confirmed(3)));
        Producer producer = producer(Duration.ofSeconds(30));
        producer.send(new byte[] {1}, 2);
        assertThat(producer.send(new byte[] {2}, 1).path("base_offset").asLong())
                .isEqualTo(2);
        producer.send(new byte[] {3}, 1);
        // The JDK's client repeats a request on a kept connection that breaks before any answer, under the same number
        // as well.
        assertThat(sequences)
                .startsWith("0", "2")
                .endsWith("2", "3")
                .filteredOn("2"::equals)
                .hasSizeBetween(4, 5);
        assertThat(producer.sent()).isEqualTo(4);
    }

    @Test
    void whatIsRefusedForGoodIsNotSentAgainAndLinesBeforeItCount() {
        answers.add(new Told(400, "{\"code\":\"too_long\",\"reason\":\"line 3\",\"stored_lines\":2}"));
        Producer producer = producer(Duration.ofSeconds(30));
        assertThatThrownBy(() -> producer.send(new byte[] {1}, 5))
                .isInstanceOf(ServerRefused.class)
                .hasMessage("too_long (400): line 3");
        assertThat(producer.sent()).isEqualTo(2);
        assertThat(sequences).containsExactly("0");
    }

    @Test
    void afterItsTimeTheFailureIsTold() {
        answers.add(new Told(503, "{\"code\":\"server_busy\",\"reason\":\"later\"}"));
        assertThatThrownBy(() -> producer(Duration.ZERO).send(new byte[] {1}, 1))
                .isInstanceOf(ServerRefused.class);
        answers.add(new Told(503, "{\"code\":\"partition_fenced\",\"reason\":\"until a restart\"}"));
        assertThatThrownBy(() -> producer(Duration.ofSeconds(30)).send(new byte[] {1}, 1))
                .isInstanceOf(ServerRefused.class)
                .hasMessageContaining("until a restart");
    }
}
