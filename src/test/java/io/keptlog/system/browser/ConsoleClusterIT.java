// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.ClusterProcesses;
import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a real cluster, in Chromium: brokers, bookies, quorums, ledgers, and the copies that there really are. */
@Tag("long")
class ConsoleClusterIT {
    private static final String USERNAME = "root";
    private static final String PASSWORD = "root-password";

    @TempDir
    Path directory;

    @Test
    void brokersBookiesLedgersAndCopiesAreShown() throws Exception {
        Browser.requireChromium();
        var cluster = new ClusterProcesses(directory, 3, 2);
        try {
            URI broker = URI.create(cluster.brokers.getFirst());
            try (Browser browser = Browser.open(broker.getPort())) {
                shows(browser, new Client(broker, USERNAME, PASSWORD), cluster);
            }
        } finally {
            cluster.close();
        }
    }

    private static void shows(Browser browser, Client client, ClusterProcesses cluster) throws Exception {
        browser.window(1280, 900);
        browser.openAsAStranger();
        browser.logIn(USERNAME, PASSWORD);
        browser.find("nav[aria-label=Pages] a", "Cluster").click();
        browser.awaitText("table", "broker-2");
        browser.awaitTrue("return document.querySelectorAll('table.data')[1].tBodies[0].rows.length === 3");
        looksWell(browser, "cluster");

        browser.page("/streams");
        browser.button("Create stream");
        browser.type("name", "copied");
        browser.type("option.ensemble_size", "3");
        browser.type("option.write_quorum", "3");
        browser.type("option.ack_quorum", "2");
        browser.button("dialog", "Create");
        browser.find("h1", "copied");
        client.createTopic("copied", "orders", 1, Client.policies("persisted"));
        String topic = Client.topic("copied", "orders");
        for (int i = 0; i < 5; i++) {
            client.produce(topic, 0, List.of("order " + i)).expect(201);
        }
        String path = "/streams/" + id(client, "/streams/copied") + "/topics/" + id(client, topic);
        browser.page(path);
        browser.awaitText(".failures", "bookie");
        looksWell(browser, "durability");
        browser.find(".tabs a", "Copies").click();
        browser.awaitText("main", "2 copies are proven by an acknowledgement");
        browser.awaitText("table", "E 3 / Qw 3 / Qa 2");
        // The newest entries of an open ledger are not judged at once.
        Await.until("all copies are found", Duration.ofSeconds(60), () -> {
            browser.button("Ask the bookies");
            browser.awaitTrue("return document.querySelector('.depths table, .depths .empty') !== null");
            return ((String) browser.run("return document.querySelector('.depths').textContent"))
                    .contains("all copies");
        });
        browser.awaitText(".depths table", "no bookie");
        looksWell(browser, "copies");
        browser.page(path + "/messages?partition=0&from=first");
        browser.awaitText(".pager", "Offsets 0 to 4");
    }

    private static long id(Client client, String path) {
        return client.get(path).expect(200).json().path("id").asLong();
    }

    private static void looksWell(Browser browser, String page) {
        for (String scheme : List.of("light", "dark")) {
            browser.system(scheme);
            new Axe(browser).requireNoSeriousFault(page + " " + scheme);
            browser.screenshot("cluster-" + scheme + "-" + page);
        }
        browser.window(390, 800);
        assertThat(browser.run("return document.documentElement.scrollWidth - window.innerWidth"))
                .as("%s is wider than the window by so much; less when there is a scroll bar", page)
                .satisfies(wider -> assertThat((Long) wider).isNotPositive());
        browser.screenshot("cluster-narrow-" + page);
        browser.window(1280, 900);
        browser.system("light");
    }
}
