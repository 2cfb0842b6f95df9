// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

@ServerTest
class MessageControllerTest {
    private final MockMvc mvc;
    private final Api api;

    @Autowired
    MessageControllerTest(MockMvc mvc) {
        this.mvc = mvc;
        this.api = Api.root(mvc);
    }

    private MockHttpServletResponse send(String path, String type, String body, String... headers) {
        var request = MockMvcRequestBuilders.post(java.net.URI.create(path))
                .header("Authorization", api.authorization())
                .content(body.getBytes(StandardCharsets.UTF_8));
        if (type != null) {
            request.header("Content-Type", type);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return perform(request);
    }

    private MockHttpServletResponse poll(String path, String accept) {
        return perform(MockMvcRequestBuilders.get(java.net.URI.create(path))
                .header("Authorization", api.authorization())
                .header("Accept", accept));
    }

    private MockHttpServletResponse perform(
            org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder request) {
        try {
            return mvc.perform(request).andReturn().getResponse();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String text(MockHttpServletResponse response) {
        return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
    }

    @Test
    void theReceiptSaysWhatTheTopicPromises() {
        String replicated = Places.topic(api, 1, "") + "/messages";
        var reply = api.post(replicated, Places.messages("YQ==", "Yg==")).expect(201);
        assertThat(reply.response().getHeader("Iggy-Durability")).isEqualTo("replicated");
        var receipt = reply.json().at("/confirmations/0");
        assertThat(receipt.propertyNames())
                .containsExactly(
                        "stream_id",
                        "topic_id",
                        "partition_id",
                        "base_offset",
                        "end_offset",
                        "durability",
                        "stored_in",
                        "copies",
                        "epoch",
                        "persisted_end_offset");
        assertThat(receipt.at("/stored_in").asString()).isEqualTo("page_cache");
        String persisted = Places.topic(api, 1, "\"durability\":\"persisted\"") + "/messages";
        reply = api.post(persisted + "?ack=replicated", Places.messages("YQ==")).expect(201);
        assertThat(reply.response().getHeader("Iggy-Durability")).isEqualTo("persisted");
        assertThat(reply.json().at("/confirmations/0/stored_in").asString()).isEqualTo("stable_storage");
        assertThat(reply.json().at("/confirmations/0/persisted_end_offset").asInt())
                .isEqualTo(1);
    }

    @Test
    void withoutAnAckTheReplyIsEmptyAndTheMessagesAreThereInOrder() {
        String messages = Places.topic(api, 1, "") + "/messages";
        for (String payload : new String[] {"YQ==", "Yg==", "Yw=="}) {
            var reply =
                    api.post(messages + "?ack=none", Places.messages(payload)).expect(202);
            assertThat(reply.response().getHeader("Iggy-Durability")).isEqualTo("none");
            assertThat(reply.body()).isEmpty();
        }
        assertThat(text(poll(messages + "?count=9", "application/octet-stream")))
                .isEqualTo("a\nb\nc\n");
        api.post(messages + "?ack=persisted", Places.messages("YQ==")).expect(400);
        api.post("/streams/999999/topics/0/messages?ack=none", Places.messages("YQ=="))
                .refused(404, 1009, "stream_id_not_found");
    }

    @Test
    void oneWriteMayAskForMoreThanItsTopicAndNotForLess() {
        String messages = Places.topic(api, 1, "") + "/messages";
        var raised = send(messages, "application/json", Places.messages("YQ=="), "Keptlog-Durability", "persisted");
        assertThat(raised.getStatus()).isEqualTo(201);
        assertThat(raised.getHeader("Iggy-Durability")).isEqualTo("persisted");
        String strict = Places.topic(api, 1, "\"durability\":\"persisted\"") + "/messages";
        assertThat(send(strict, "application/json", Places.messages("YQ=="), "Keptlog-Durability", "replicated")
                        .getStatus())
                .isEqualTo(400);
        assertThat(send(messages, "application/json", Places.messages("YQ=="), "Keptlog-Durability", "forever")
                        .getStatus())
                .isEqualTo(400);
        assertThat(send(
                                messages + "?ack=none",
                                "application/json",
                                Places.messages("YQ=="),
                                "Keptlog-Durability",
                                "persisted")
                        .getStatus())
                .isEqualTo(400);
    }

    @Test
    void linesAndBytesComeBackAsTheyWere() {
        String messages = Places.topic(api, 1, "") + "/messages";
        String lines = "one\n\n{\"n\":2}\r\nlast";
        var stored = send(messages, "application/x-ndjson", lines);
        assertThat(stored.getStatus()).isEqualTo(201);
        assertThat(text(stored)).contains("\"base_offset\":0,\"end_offset\":4").endsWith("\"stored_lines\":4}");
        send(messages, "application/octet-stream", "raw", "Keptlog-Message-Id", "7");
        var raw = poll(messages + "?count=9", "application/octet-stream");
        assertThat(text(raw)).isEqualTo(lines + "\nraw\n");
        assertThat(raw.getHeader("Keptlog-First-Offset")).isEqualTo("0");
        assertThat(raw.getHeader("Keptlog-Next-Offset")).isEqualTo("5");
        assertThat(raw.getHeader("Keptlog-Count")).isEqualTo("5");
        assertThat(api.get(messages + "?kind=last&count=1")
                        .json()
                        .at("/messages/0/header/id")
                        .asInt())
                .isEqualTo(7);
    }

    @Test
    void aLineThatIsRefusedLeavesThoseBeforeItStored() {
        String messages = Places.topic(api, 1, "") + "/messages";
        String lines = "x\n".repeat(1000) + "y".repeat(2_100_000);
        var refused = send(messages, "application/x-ndjson", lines);
        assertThat(refused.getStatus()).isEqualTo(413);
        assertThat(text(refused)).contains("\"stored_lines\":1000");
        assertThat(api.get(messages + "?count=1").json().at("/current_offset").asInt())
                .isEqualTo(999);
    }

    @Test
    void keysAndPartitionsAreChosenByHeader() {
        String messages = Places.topic(api, 3, "") + "/messages";
        String first = text(send(messages, "application/octet-stream", "a", "Keptlog-Key", "customer"));
        String again = text(send(messages, "application/octet-stream", "b", "Keptlog-Key", "customer"));
        assertThat(first.replaceAll(".*partition_id\":(\\d+).*", "$1"))
                .isEqualTo(again.replaceAll(".*partition_id\":(\\d+).*", "$1"));
        assertThat(text(send(messages, "application/x-ndjson", "a", "Keptlog-Partition", "2")))
                .contains("\"partition_id\":2");
        assertThat(send(messages, "application/octet-stream", "a", "Keptlog-Partition", "3")
                        .getStatus())
                .isEqualTo(404);
    }

    @Test
    void otherContentTypesAreRefusedWithThoseThatAreTaken() {
        String messages = Places.topic(api, 1, "") + "/messages";
        for (String type : new String[] {"text/plain", "application/xml", "*/*", "nonsense", null}) {
            var refused = send(messages, type, "x");
            assertThat(refused.getStatus()).as(String.valueOf(type)).isEqualTo(415);
            assertThat(refused.getHeader("Accept")).contains("application/json", "application/x-ndjson");
            assertThat(text(refused)).contains("unsupported_media_type");
        }
        assertThat(send(messages, "application/json; charset=utf-8", Places.messages("YQ=="))
                        .getStatus())
                .isEqualTo(201);
    }

    @Test
    void everyStartIsUnderstoodLongAndShort() {
        String messages = Places.topic(api, 1, "") + "/messages";
        api.post(messages, Places.messages("YQ==", "Yg==", "Yw==")).expect(201);
        for (String start :
                new String[] {"kind=offset&value=1", "kind=o&value=1", "kind=last&count=2", "kind=l&count=2", "value=1"
                }) {
            var polled = api.get(messages + "?" + start).expect(200).json();
            assertThat(polled.at("/messages/0/header/offset").asInt()).as(start).isEqualTo(1);
            assertThat(polled.at("/count").asInt()).isEqualTo(2);
        }
        for (String start :
                new String[] {"kind=first", "kind=f", "kind=next", "kind=n", "kind=timestamp&value=0", "kind=t"}) {
            assertThat(api.get(messages + "?" + start)
                            .expect(200)
                            .json()
                            .at("/count")
                            .asInt())
                    .as(start)
                    .isEqualTo(3);
        }
        assertThat(api.get(messages + "?kind=next&count=2&auto_commit=true")
                        .json()
                        .at("/count")
                        .asInt())
                .isEqualTo(2);
        assertThat(api.get(messages + "?kind=next&count=2&auto_commit=true")
                        .json()
                        .at("/count")
                        .asInt())
                .isEqualTo(1);
        assertThat(api.get(messages + "?value=18446744073709551615")
                        .expect(200)
                        .json()
                        .at("/count")
                        .asInt())
                .isZero();
    }

    @Test
    void badPollsAreRefused() {
        String messages = Places.topic(api, 1, "") + "/messages";
        for (String query : new String[] {
            "count=-1", "count=x", "value=1e3", "value=%201", "value=18446744073709551616", "partition_id=", "count=0"
        }) {
            api.get(messages + "?" + query).expect(400);
        }
        api.get(messages + "?kind=middle").refused(400, 3, "invalid_command");
        api.get(messages + "?auto_commit=yes").refused(400, 3, "invalid_command");
        api.get(messages + "?consumer_kind=consumer_group").refused(400, 3, "invalid_command");
        api.get(messages + "?visibility=all").refused(400, 3, "invalid_command");
        api.get(messages + "?partition_id=1").refused(404, 3007, "partition_not_found");
        api.get("/streams/999999/topics/0/messages").refused(404, 404, "not_found");
        assertThat(poll(messages, "text/html").getStatus()).isEqualTo(406);
        assertThat(poll(messages, "text/html, */*;q=0.1").getStatus()).isEqualTo(200);
    }

    @Test
    void olderClientsFlushByPath() {
        String messages = Places.topic(api, 1, "") + "/messages";
        api.post(messages, Places.messages("YQ==")).expect(201);
        for (String last : new String[] {"true", "false", "fsync=true", "fsync=false"}) {
            assertThat(api.get(messages + "/flush/0/" + last).expect(200).body())
                    .isEmpty();
        }
        api.get(messages + "/flush/0/maybe").refused(400, 3, "invalid_command");
        api.get(messages + "/flush/7/true").refused(404, 3007, "partition_not_found");
        assertThat(api.get(messages + "?visibility=persisted")
                        .json()
                        .at("/count")
                        .asInt())
                .isEqualTo(1);
    }
}
