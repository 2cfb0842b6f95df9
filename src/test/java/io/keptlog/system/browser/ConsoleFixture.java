// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A server, a browser, and a stranger before each test. Skipped where there is no Chromium. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ConsoleFixture {
    ServerProcess server;
    Browser browser;
    Client client;

    /** A server whose last start has cut a torn tail: there is a report to look at. */
    @BeforeAll
    void start(@TempDir Path directory) {
        Browser.requireChromium();
        Path data = directory.resolve("data");
        try (ServerProcess before = ServerProcess.start(data, "--keptlog.flush-age=1h")) {
            before.client().createStream("seeded");
            before.client().createTopic("seeded", "torn", 1, Client.policies("replicated"));
            before.client()
                    .produce(Client.topic("seeded", "torn"), 0, List.of("kept"))
                    .expect(201);
            before.client()
                    .produce(Client.topic("seeded", "torn"), 0, List.of("torn off"))
                    .expect(201);
            before.kill();
        }
        Path segment = new PartitionFiles(data, 0, 0, 0).newestSegment();
        long cut = PartitionFiles.frames(segment).getLast().position() + 40;
        PartitionFiles.damage(segment, file -> file.setLength(cut));
        server = ServerProcess.start(data);
        client = server.client();
        browser = Browser.open(server.port());
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void aStranger() {
        browser.system("light");
        browser.window(1280, 900);
        browser.openAsAStranger();
        browser.complaints();
    }

    /** Statuses that a test provokes are complained about as well; a broken policy or script never is. */
    @AfterEach
    void nothingIsBlockedAndNothingFails() {
        assertThat(browser.complaints())
                .filteredOn(c -> !c.contains("Failed to load resource: the server responded with a status of 4"))
                .isEmpty();
    }

    void logIn() {
        browser.logIn(ServerProcess.USERNAME, ServerProcess.PASSWORD);
        browser.find("h1", "Overview");
    }

    /** The path of a new topic with messages, below / and below #/. */
    String topicWith(String name, int messages) {
        if (client.get("/streams/" + name).status() == 404) {
            client.createStream(name);
        }
        long stream = client.get("/streams/" + name).json().path("id").asLong();
        long topic = client.createTopic(name, name, 2, Client.policies("persisted"))
                .path("id")
                .asLong();
        String path = "/streams/" + stream + "/topics/" + topic;
        for (int i = 0; i < messages; i++) {
            client.produce(path, 0, List.of("message " + i)).expect(201);
        }
        return path;
    }

    static List<String> pages(String topic) {
        return List.of(
                "/",
                "/streams",
                topic.replaceAll("/topics.*", ""),
                topic,
                topic + "/messages",
                topic + "/produce",
                topic + "/consumers",
                topic + "/replication",
                "/recovery",
                "/users",
                "/users/0",
                "/tokens",
                "/nowhere");
    }
}
