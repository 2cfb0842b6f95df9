// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Identifier;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.http.codec.ProduceCodec;
import io.keptlog.http.error.ErrorAdviceFixture;
import io.keptlog.service.ServiceFixture;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The headers of an idempotent producer, from the request to the reply, on a log in memory. */
class IdempotentProduceTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TO_PARTITION_0 =
            "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":[%s]}";

    private final ServiceFixture server = new ServiceFixture();
    private final MockMvc mvc = MockMvcBuilders.standaloneSetup(new Door(server))
            .setControllerAdvice(ErrorAdviceFixture.advice())
            .build();

    /** The way from the path to the exchange, without users. */
    @RestController
    @TestComponent
    static final class Door {
        private final ProduceExchange exchange;

        Door(ServiceFixture server) {
            exchange = new ProduceExchange(new ProduceCodec(2_000_000, new BufferPool(), server.clock), server.produce);
        }

        @PostMapping("/messages")
        void send(HttpServletRequest request, HttpServletResponse response) throws Exception {
            exchange.serve(new Identifier.Numeric(0), new Identifier.Numeric(0), request, response);
        }
    }

    @BeforeEach
    void topic() {
        server.aTopic(1, Map.of());
    }

    private static String messages(String... payloads) {
        return String.format(
                TO_PARTITION_0,
                String.join(
                        ",",
                        List.of(payloads).stream()
                                .map(p -> "{\"payload\":\""
                                        + java.util.Base64.getEncoder()
                                                .encodeToString(p.getBytes(StandardCharsets.UTF_8))
                                        + "\"}")
                                .toList()));
    }

    private static MockHttpServletRequestBuilder json(String body) {
        return MockMvcRequestBuilders.post("/messages")
                .contentType("application/json")
                .content(body);
    }

    private static MockHttpServletRequestBuilder by(
            MockHttpServletRequestBuilder request, String id, String epoch, String sequence) {
        if (id != null) {
            request.header("Keptlog-Producer-Id", id);
        }
        if (epoch != null) {
            request.header("Keptlog-Producer-Epoch", epoch);
        }
        if (sequence != null) {
            request.header("Keptlog-Producer-Sequence", sequence);
        }
        return request;
    }

    private MockHttpServletResponse send(MockHttpServletRequestBuilder request, int expected) throws Exception {
        MockHttpServletResponse response = mvc.perform(request).andReturn().getResponse();
        assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(expected);
        if (expected >= 400) {
            ErrorForm.require(response.getContentAsString(), JSON.readTree(response.getContentAsString()));
        }
        return response;
    }

    private static JsonNode body(MockHttpServletResponse response) throws Exception {
        return JSON.readTree(response.getContentAsString());
    }

    @Test
    void aRetryIsAnsweredWith200AndTheFirstConfirmation() throws Exception {
        JsonNode first = body(send(by(json(messages("a", "b")), "7", "1", "0"), 201));
        MockHttpServletResponse again = send(by(json(messages("a", "b")), "7", "1", "0"), 200);
        assertThat(body(again)).isEqualTo(first);
        assertThat(again.getHeader("Iggy-Durability")).isEqualTo("replicated");
        assertThat(server.log(0).status().endOffset()).isEqualTo(2);
    }

    @Test
    void aRetryWaitsForTheDurabilityThatItAsksFor() throws Exception {
        send(by(json(messages("a")), "7", "1", "0"), 201);
        assertThat(server.log(0).syncs()).isZero();
        MockHttpServletResponse again =
                send(by(json(messages("a")), "7", "1", "0").header("Keptlog-Durability", "persisted"), 200);
        assertThat(again.getHeader("Iggy-Durability")).isEqualTo("persisted");
        assertThat(body(again).at("/confirmations/0/stored_in").asString()).isEqualTo("stable_storage");
        assertThat(server.log(0).syncs()).isEqualTo(1);
    }

    @Test
    void withoutAnAckARetryIsAcceptedAndNotStoredAgain() throws Exception {
        for (int i = 0; i < 2; i++) {
            MockHttpServletResponse response =
                    send(by(json(messages("a")), "7", "1", "0").queryParam("ack", "none"), 202);
            assertThat(response.getContentAsString()).isEmpty();
        }
        assertThat(server.log(0).status().endOffset()).isEqualTo(1);
    }

    @Test
    void ofAPartlyOldRequestTheRestIsStored() throws Exception {
        send(by(json(messages("a", "b")), "7", "1", "0"), 201);
        JsonNode rest = body(send(by(json(messages("b", "c", "d")), "7", "1", "1"), 201));
        assertThat(rest.at("/confirmations/0/base_offset").asLong()).isEqualTo(2);
        assertThat(rest.at("/confirmations/0/end_offset").asLong()).isEqualTo(4);
    }

    @Test
    void aGapIs409WithTheExpectedSequence() throws Exception {
        send(by(json(messages("a", "b")), "7", "1", "0"), 201);
        JsonNode error = body(send(by(json(messages("d")), "7", "1", "3"), 409));
        assertThat(error.path("code").asString()).isEqualTo("sequence_gap");
        assertThat(error.path("id").asInt()).isEqualTo(409);
        assertThat(error.path("expected_sequence").isIntegralNumber()).isTrue();
        assertThat(error.path("expected_sequence").asLong()).isEqualTo(2);
    }

    @Test
    void anOlderEpochIs409() throws Exception {
        send(by(json(messages("a")), "7", "2", "0"), 201);
        JsonNode error = body(send(by(json(messages("b")), "7", "1", "1"), 409));
        assertThat(error.path("code").asString()).isEqualTo("producer_fenced");
        assertThat(error.path("current_epoch").asLong()).isEqualTo(2);
    }

    @Test
    void theLargestNumbersAreExact() throws Exception {
        String last = "18446744073709551614";
        send(by(json(messages("a")), "18446744073709551615", "4294967295", last), 201);
        send(by(json(messages("a")), "18446744073709551615", "4294967295", last), 200);
        JsonNode error =
                body(send(by(json(messages("b")), "18446744073709551615", "4294967295", "18446744073709551615"), 400));
        assertThat(error.path("field").asString()).isEqualTo("Keptlog-Producer-Sequence");
        send(by(json(messages("a")), "9", "0", "9007199254740993"), 201);
        JsonNode gap = body(send(by(json(messages("a")), "9", "0", "18446744073709551614"), 409));
        assertThat(gap.path("expected_sequence").asString()).isEqualTo("9007199254740994");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,1,0,Keptlog-Producer-Id",
                "7,-,0,Keptlog-Producer-Epoch",
                "7,1,-,Keptlog-Producer-Sequence",
                "7,-,-,Keptlog-Producer-Epoch",
                "-,-,5,Keptlog-Producer-Id",
                "0,1,0,Keptlog-Producer-Id",
                "18446744073709551616,1,0,Keptlog-Producer-Id",
                "-1,1,0,Keptlog-Producer-Id",
                "seven,1,0,Keptlog-Producer-Id",
                "'',1,0,Keptlog-Producer-Id",
                "7,4294967296,0,Keptlog-Producer-Epoch",
                "7,-1,0,Keptlog-Producer-Epoch",
                "7,1e3,0,Keptlog-Producer-Epoch",
                "7,1,-1,Keptlog-Producer-Sequence",
                "7,1,1.0,Keptlog-Producer-Sequence",
                "7,1,18446744073709551616,Keptlog-Producer-Sequence"
            })
    void whatIsNotThreeExactNumbersIsRefusedByName(String id, String epoch, String sequence, String field)
            throws Exception {
        JsonNode error = body(send(by(json(messages("a")), id, epoch, sequence), 400));
        assertThat(error.path("field").asString()).isEqualTo(field);
        assertThat(server.log(0).status().endOffset()).isZero();
    }

    @Test
    void aBalancedRequestIsRefusedInEveryForm() throws Exception {
        String balanced = messages("a").replace("partition_id", "balanced").replace("AAAAAA==", "");
        assertThat(body(send(by(json(balanced), "7", "1", "0"), 400))
                        .path("field")
                        .asString())
                .isEqualTo("partitioning");
        for (String type : List.of("application/octet-stream", "application/x-ndjson")) {
            MockHttpServletRequestBuilder request =
                    MockMvcRequestBuilders.post("/messages").contentType(type).content("a\n");
            assertThat(body(send(by(request, "7", "1", "0"), 400)).path("field").asString())
                    .isEqualTo("Keptlog-Partition");
        }
        assertThat(server.log(0).status().endOffset()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Keptlog-Partition", "Keptlog-Key"})
    void bytesAreIdempotentWithAPartitionOrAKey(String header) throws Exception {
        for (int status : new int[] {201, 200}) {
            MockHttpServletRequestBuilder request = MockMvcRequestBuilders.post("/messages")
                    .contentType("application/octet-stream")
                    .header(header, "0")
                    .content("a");
            send(by(request, "7", "1", "0"), status);
        }
        assertThat(server.log(0).status().endOffset()).isEqualTo(1);
    }

    private static MockHttpServletRequestBuilder lines(int from, int count) {
        var text = new StringBuilder();
        for (int i = from; i < from + count; i++) {
            text.append("line ").append(i).append('\n');
        }
        return by(
                MockMvcRequestBuilders.post("/messages")
                        .contentType("application/x-ndjson")
                        .header("Keptlog-Partition", "0")
                        .content(text.toString()),
                "7",
                "1",
                Integer.toString(from));
    }

    @Test
    void theSequenceOfLinesCountsOnOverTheBatches() throws Exception {
        assertThat(body(send(lines(0, 2500), 201)).path("stored_lines").asLong())
                .isEqualTo(2500);
        JsonNode again = body(send(lines(0, 2500), 200));
        assertThat(again.at("/confirmations/0/base_offset").asLong()).isZero();
        assertThat(again.at("/confirmations/0/end_offset").asLong()).isEqualTo(2500);
        assertThat(again.path("stored_lines").asLong()).isEqualTo(2500);
        JsonNode more = body(send(lines(1200, 2000), 201));
        assertThat(more.at("/confirmations/0/end_offset").asLong()).isEqualTo(3200);
        assertThat(server.log(0).status().endOffset()).isEqualTo(3200);
        JsonNode gap = body(send(lines(3201, 1), 409));
        assertThat(gap.path("expected_sequence").asLong()).isEqualTo(3200);
        assertThat(gap.path("stored_lines").asLong()).isZero();
    }
}
