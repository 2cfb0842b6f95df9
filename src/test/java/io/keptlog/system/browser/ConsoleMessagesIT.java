// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import java.math.BigInteger;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Messages in the console: producing, browsing, following, exact numbers, and text that stays text. */
@Tag("long")
class ConsoleMessagesIT extends ConsoleFixture {
    private static final String BIGGEST_ID =
            BigInteger.TWO.pow(128).subtract(BigInteger.ONE).toString();

    @Test
    void aNewcomerLogsInMakesAStreamAndATopicAndIsShownWhatAnAcknowledgementProves() {
        browser.logIn("root", "not the password");
        browser.awaitText("[role=alert]", "invalid_credentials");
        logIn();
        browser.find("nav[aria-label=Pages] a", "Streams").click();
        browser.button("Create stream");
        browser.type("name", "shop");
        browser.button("dialog", "Create");
        browser.find("h1", "shop");
        browser.button("Create topic");
        browser.awaitText("dialog", "a power cut may take about the last second");
        browser.awaitText("dialog", "Age after which the oldest sealed segments are deleted");
        browser.type("name", "orders");
        browser.find("dialog input[name=durability][value=persisted]").click();
        browser.type("option.message_expiry", "7 days");
        browser.button("dialog", "Create");
        browser.find("h1", "orders");
        browser.awaitText(".failures", "The machine loses power");
        assertThat(client.get("/streams/shop/topics/orders")
                        .json()
                        .at("/options/message_expiry/value")
                        .asString())
                .isEqualTo("604800000000");

        browser.find(".tabs a", "Produce").click();
        browser.type("payload", "{\"order\": 9007199254740993, \"paid\": true}");
        browser.find("form details summary").click();
        browser.type("id", BIGGEST_ID);
        browser.button("Add a header");
        browser.type("header-key", "origin");
        browser.type("header-value", "till 7");
        browser.button("Send");
        browser.awaitText("[aria-live] .card", "It is on stable storage");
        browser.awaitText("[aria-live] .card", "persisted");
        browser.find("a", "Look at the message").click();
        browser.find(".message summary").click();
        browser.awaitText("[data-name=id]", BIGGEST_ID);
        browser.awaitText(".message", "till 7");
        browser.awaitText(".payload", "{\"order\": 9007199254740993, \"paid\": true}");
        browser.choose("as", "json");
        browser.button("Show");
        browser.awaitTrue("return location.hash.includes('as=json')");
        browser.awaitGone(".message[open]");
        browser.find(".message summary").click();
        browser.awaitText(".payload", "\"order\": 9007199254740993,\n  \"paid\": true");
        browser.choose("as", "hex");
        browser.button("Show");
        browser.awaitTrue("return location.hash.includes('as=hex')");
        browser.awaitGone(".message[open]");
        browser.find(".message summary").click();
        browser.awaitText(".payload", "00000000  7b 22 6f 72 64 65 72 22");
    }

    @Test
    void messagesAreBrowsedByOffsetTimeAndFromTheLast() {
        String topic = topicWith("browsing", 30);
        logIn();
        browser.page(topic + "/messages?partition=0&from=last&count=10");
        browser.awaitText(".pager", "Offsets 20 to 29, newest 29");
        browser.button("Older");
        browser.awaitText(".pager", "Offsets 10 to 19");
        browser.choose("from", "offset");
        browser.type("value", "7");
        browser.button("Show");
        browser.awaitText(".pager", "Offsets 7 to 16");
        long at = client.poll(topic, 0, 25, 1)
                .json()
                .at("/messages/0/header/timestamp")
                .asLong();
        browser.choose("from", "timestamp");
        browser.type("value", Long.toString(at));
        browser.button("Show");
        browser.awaitText(".pager", "Offsets 25 to 29");
        browser.type("value", "yesterday");
        browser.button("Show");
        browser.awaitText("[role=alert]", "A time looks like");
        browser.page(topic + "/messages?partition=0&from=offset&value=1000");
        browser.awaitText("main", "The newest visible message has the offset 29.");
    }

    @Test
    void numbersOfTheApiKeepAllTheirDigits() {
        Object read = browser.await(
                "const json = await import('/assets/json.js'); const r = json.parse(arguments[0]);"
                        + " return [r.id, r.text, r.small, r.part, json.stringify({a: 18446744073709551615n, b: ['x']})]",
                "{\"id\":" + BIGGEST_ID + ",\"text\":\"12345678901234567890\\\" 12345678901234567890\",\"small\":42,"
                        + "\"part\":0.12345678901234567}");
        assertThat(read)
                .isEqualTo(List.of(
                        BIGGEST_ID,
                        "12345678901234567890\" 12345678901234567890",
                        42L,
                        0.12345678901234567,
                        "{\"a\":18446744073709551615,\"b\":[\"x\"]}"));
        Object kept = browser.await(
                "const json = await import('/assets/json.js'); return json.pretty('{\"n\":' + arguments[0] + ',\"e\":[]}')",
                BIGGEST_ID);
        assertThat(kept).isEqualTo("{\n  \"n\": " + BIGGEST_ID + ",\n  \"e\": []\n}");
    }

    @Test
    void whatTheServerSaysStaysText() {
        String attack = "<img src=x onerror='window.broken=1'>";
        client.createStream("attacked");
        client.put("/streams/attacked", Map.of("name", attack)).expect(204);
        long stream = 0;
        for (var s : client.get("/streams").json()) {
            stream = s.path("name").asString().equals(attack) ? s.path("id").asLong() : stream;
        }
        String topic = "/streams/" + stream + "/topics/"
                + client.createTopic(Long.toString(stream), attack, 1, Map.of())
                        .path("id")
                        .asLong();
        String encoded = Base64.getEncoder().encodeToString(attack.getBytes(StandardCharsets.UTF_8));
        String header = "{\"kind\":\"string\",\"value\":\"" + encoded + "\"}";
        client.send(
                        "POST",
                        topic + "/messages",
                        BodyPublishers.ofString("{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"},\"messages\":"
                                + "[{\"payload\":\"" + encoded + "\",\"user_headers\":[{\"key\":" + header
                                + ",\"value\":" + header + "}]}]}"),
                        "Content-Type",
                        "application/json")
                .expect(201);
        logIn();
        for (String page : List.of("/streams", "/streams/" + stream, topic, topic + "/produce", topic + "/consumers")) {
            browser.page(page);
            browser.awaitText("main", attack);
        }
        for (String as : List.of("text", "json", "hex")) {
            browser.page(topic + "/messages?as=" + as);
            browser.find(".message summary").click();
            browser.awaitText(".message-body", as.equals("hex") ? "3c 69 6d 67" : attack);
        }
        browser.page("/streams/" + stream);
        browser.button("Delete");
        browser.awaitText("dialog", attack);
        browser.type("confirm", "x");
        browser.button("dialog", "Delete");
        browser.awaitText("dialog [role=alert]", "That is not the name.");
        browser.press(Keys.ESCAPE);
        browser.awaitGone("dialog");
        assertThat(browser.run("return window.broken === undefined && document.querySelector('main img') === null"))
                .isEqualTo(true);
        assertThat(browser.run(
                        "try { document.body.innerHTML = '<p>x</p>'; return 'set' } catch (e) { return e.name }"))
                .as("text cannot become markup at all")
                .isEqualTo("TypeError");
        assertThat(browser.complaints()).anyMatch(c -> c.contains("TrustedHTML"));
    }

    @Test
    void messagesAreFollowedAsTheyComeUntilSomebodyStops() {
        String topic = topicWith("followed", 3);
        logIn();
        browser.page(topic + "/messages?partition=0&from=last");
        browser.button("Follow live");
        browser.awaitText(".follow-state", "Following");
        client.produce(topic, 0, List.of("live one", "live two")).expect(201);
        browser.awaitText(".followed .messages", "live two");
        assertThat(browser.run(
                        "return Array.from(document.querySelectorAll('.followed .preview'), e => e.textContent)"))
                .as("newest first, each once, nothing that was there before")
                .isEqualTo(List.of("live two", "live one"));
        browser.find(".followed .message summary").click();
        browser.awaitText(".followed .payload", "live two");
        browser.screenshot("wide-light-following");
        browser.button("Stop following");
        browser.awaitText(".follow-state", "stopped");
        Await.until("the stream has ended", Duration.ofSeconds(30), () -> client.get("/actuator/prometheus")
                .text()
                .contains("keptlog_live_readers 0.0"));
        browser.button("Follow live");
        browser.awaitText(".follow-state", "Following");
        client.delete(topic).expect(204);
        browser.awaitText(".followed [role=alert]", "not_found");
    }

    @Test
    void eventsAreCutRightWhereverTheirBytesAreSplit() {
        String stream = "id: 1\ndata: {\"a\":1}\n\nevent: gap\ndata: x\ndata: y\r\n\n: remark\n\nid: 2\ndata:z\n\n";
        Object read = browser.await(
                "const live = await import('/assets/live.js'); const all = [];"
                        + " for (let cut = 0; cut <= arguments[0].length; cut++) { const events = [];"
                        + " const take = live.eventReader((e) => events.push([e.event ?? '', e.id ?? '', e.data]));"
                        + " take(arguments[0].slice(0, cut)); take(arguments[0].slice(cut)); all.push(JSON.stringify(events)); }"
                        + " return [...new Set(all)]",
                stream);
        assertThat(read)
                .isEqualTo(List.of("[[\"\",\"1\",\"{\\\"a\\\":1}\"],[\"gap\",\"\",\"x\\ny\"],[\"\",\"2\",\"z\"]]"));
    }
}
