// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import io.keptlog.system.harness.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people do in the console besides messages: deleting, offsets, recovery, the overview, a cluster. */
@Tag("long")
class ConsoleWorkIT extends ConsoleFixture {
    @Test
    void deletingAsksForTheName() {
        String topic = topicWith("deleted", 3);
        logIn();
        browser.page(topic);
        browser.button("Delete");
        browser.awaitText("dialog", "There is no way back");
        browser.type("confirm", "delete");
        browser.button("dialog", "Delete");
        browser.awaitText("dialog [role=alert]", "That is not the name.");
        browser.button("dialog", "Cancel");
        browser.awaitGone("dialog");
        client.get(topic).expect(200);
        browser.button("Delete");
        browser.type("confirm", "deleted");
        browser.button("dialog", "Delete");
        browser.awaitText("main", "No topics yet");
        client.get(topic).expect(404);
    }

    @Test
    void whatWentWrongIsSaidInTheServersWords() {
        client.createStream("taken");
        logIn();
        browser.page("/streams");
        browser.button("Create stream");
        browser.type("name", "taken");
        browser.button("dialog", "Create");
        browser.awaitText("dialog [role=alert]", "already exists");
        browser.awaitText("dialog [role=alert]", "stream_name_already_exists");
        browser.awaitText("dialog [role=alert]", "Field: name");
        browser.button("dialog", "Cancel");
        browser.page("/streams/4000000");
        browser.awaitText("[role=alert]", "not_found");
    }

    @Test
    void offsetsOfConsumersAreListedFoundAndForgotten() {
        String topic = topicWith("consumed", 10);
        client.storeOffset(topic, 0, "billing", 3).expect(204);
        client.storeOffset(topic, 0, "7", 9).expect(204);
        logIn();
        browser.page(topic + "/consumers");
        browser.awaitText("table", "6");
        browser.awaitText("table", "none");
        browser.type("consumer", "billing");
        browser.button("Find");
        browser.awaitText("[aria-live] table", "6");
        browser.find("button[aria-label='Forget the offset of 7 in partition 0']")
                .click();
        browser.type("confirm", "7");
        browser.button("dialog", "Forget");
        browser.awaitGone("button[aria-label='Forget the offset of 7 in partition 0']");
        client.offset(topic, 0, "7").expect(404);
        client.offset(topic, 0, "billing").expect(200);
    }

    @Test
    void whatARecoveryHasCutIsShown() {
        logIn();
        browser.page("/recovery");
        browser.awaitText("h2", "torn tail: cut");
        browser.awaitText(".report", "quarantine/");
        browser.page("/streams/0/topics/0");
        browser.awaitText(".failures", "The process dies");
    }

    @Test
    void theOverviewShowsWhatGoesInAndWhatIsAtRisk() {
        String topic = topicWith("measured", 0);
        logIn();
        browser.awaitTrue("return document.querySelectorAll('.plot canvas').length === 4");
        Await.until("plots that show what is produced", Duration.ofSeconds(60), () -> {
            client.produce(topic, 0, List.of("x")).expect(201);
            return !"–"
                            .equals(browser.run(
                                    "return document.querySelectorAll('.plot')[1].querySelector('strong').textContent"))
                    && !"–"
                            .equals(
                                    browser.run(
                                            "return document.querySelectorAll('.plot')[2].querySelector('strong').textContent"));
        });
        browser.awaitText("section", "File system");
    }

    /** What a cluster answers, in the shapes of http.dto.cluster: the pages alone are looked at here. */
    private void answersOfACluster(String topic) {
        browser.run(
                """
                const real = window.fetch;
                const replies = {
                  '/cluster/metadata': {name: 'keptlog', nodes: [{name: 'broker-1', ip: '10.0.0.1', endpoints: {http: 3000},
                      role: 'leader', status: 'healthy'}]},
                  '/bookies': [{id: '10.0.0.7:3181', writable: true, journal_sync: 'synced', sync_p99_millis: 4.2},
                      {id: '10.0.0.8:3181', writable: false, journal_sync: 'unverified'}],
                  [`${arguments[0]}/partitions/0/replication`]: {partition_id: 0,
                      policy: {ensemble_size: 3, write_quorum: 3, ack_quorum: 2},
                      ledgers: [{ledger_id: 17, policy: {ensemble_size: 2, write_quorum: 2, ack_quorum: 2}, entries: 4,
                          open: true, ensembles: [{first_entry_id: 0, bookies: ['10.0.0.7:3181', '10.0.0.8:3181']}]}],
                      entries: [{ledger_id: 17, entry_id: 3, bookies: ['10.0.0.8:3181', '10.0.0.7:3181']}]},
                };
                window.fetch = (url, options) => {
                  const reply = replies[new URL(url).pathname];
                  return reply ? Promise.resolve(Response.json(reply)) : real(url, options);
                };
                """,
                topic);
    }

    @Test
    void inAClusterLedgersEnsemblesAndBookiesAreShown() {
        String topic = topicWith("clustered", 1);
        answersOfACluster(topic);
        logIn();
        browser.find("nav[aria-label=Pages] a", "Cluster").click();
        browser.find("h1", "Cluster");
        browser.awaitText("table", "10.0.0.7:3181");
        browser.awaitText("table", "unverified");
        browser.awaitText("table", "sync p99 millis: 4.2");
        new Axe(browser).requireNoSeriousFault("cluster");
        browser.page(topic);
        browser.find(".tabs a", "Copies").click();
        browser.awaitText("main", "2 copies are proven by an acknowledgement");
        browser.awaitText("table", "E 2 / Qw 2 / Qa 2");
        browser.awaitText("table", "10.0.0.8:3181, 10.0.0.7:3181");
        new Axe(browser).requireNoSeriousFault("copies");
        browser.screenshot("wide-light-copies");
    }
}
