// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.WebElement;

/** Who gets into the console, as whom, and for how long. */
@Tag("long")
class ConsoleAccessIT extends ConsoleFixture {
    @Test
    void theTokenIsKeptForTheTabAndRevokedWhenSomebodyLogsOut() {
        logIn();
        String token = (String) browser.run("return JSON.parse(sessionStorage.getItem('keptlog.session')).token");
        assertThat(browser.run("return Object.keys(localStorage).length")).isEqualTo(0L);
        assertThat(browser.hasCookies()).isFalse();
        browser.reload();
        browser.find("h1", "Overview");
        client.get("/streams", "Authorization", "Bearer " + token).expect(200);
        browser.find("button[aria-label='Log out']").click();
        browser.awaitText(".reason", "You have logged out.");
        client.get("/streams", "Authorization", "Bearer " + token).expect(401);
        logIn();
        browser.run("const s = JSON.parse(sessionStorage.getItem('keptlog.session')); s.token = 'stale.to.ken';"
                + " sessionStorage.setItem('keptlog.session', JSON.stringify(s))");
        browser.reload();
        browser.awaitText(".reason", "Your session has ended.");
    }

    @Test
    void aUserIsMadeGivenPermissionsDeactivatedAndDeleted() {
        logIn();
        browser.find("nav[aria-label=Pages] a", "Users").click();
        browser.find("h1", "Users");
        browser.button("Create user");
        browser.type("username", "reader");
        browser.type("password", "first password");
        browser.find("dialog input[name='may.read_streams']").click();
        browser.button("dialog", "Create");
        browser.find("h1", "reader");
        browser.awaitText(".facts", "read streams");
        var own = new Client(URI.create("http://127.0.0.1:" + server.port()), "reader", "first password");
        own.get("/streams").expect(200);
        own.get("/users").expect(403);
        browser.find("input[name='may.read_users']").click();
        browser.button("Save permissions");
        browser.awaitText(".facts", "read users, read streams");
        own.get("/users").expect(200);
        browser.button("Change password");
        browser.type("current", "not it");
        browser.type("next", "second password");
        browser.button("dialog", "Change");
        browser.awaitText("dialog [role=alert]", "invalid_credentials");
        browser.type("current", "first password");
        browser.button("dialog", "Change");
        browser.awaitGone("dialog");
        own.get("/users").expect(401);
        browser.button("Deactivate");
        browser.awaitText(".facts", "inactive");
        browser.button("Delete");
        browser.type("confirm", "reader");
        browser.button("dialog", "Delete");
        browser.find("h1", "Users");
        client.get("/users/reader").expect(404);
    }

    @Test
    void whatTheServerRefusesForTheFirstUserIsNotOffered() {
        logIn();
        browser.page("/users/0");
        browser.find("h1", ServerProcess.USERNAME);
        browser.awaitText("main", "The first user may everything");
        assertThat(browser.all("main button").stream().map(WebElement::getText))
                .contains("Change password")
                .doesNotContain("Delete", "Deactivate", "Save permissions");
    }

    @Test
    void aTokenIsShownOnceWorksAndIsDeleted() {
        logIn();
        browser.page("/tokens");
        browser.button("Create token");
        browser.type("name", "pipeline");
        browser.choose("days", "30");
        browser.button("dialog", "Create");
        String token = browser.find("dialog [data-name=token]").getText();
        client.get("/streams", "Authorization", "Bearer " + token).expect(200);
        browser.button("dialog", "Done");
        browser.awaitText("table", "pipeline");
        assertThat((String) browser.run("return document.body.textContent")).doesNotContain(token);
        browser.find("button[aria-label='Delete: pipeline']").click();
        browser.type("confirm", "pipeline");
        browser.button("dialog", "Delete");
        browser.awaitText("main", "No tokens");
        client.get("/streams", "Authorization", "Bearer " + token).expect(401);
    }

    @Test
    void whoMaySeeNoUsersIsToldSoAndStillHasTokens() {
        client.post("/users", Map.of("username", "lowly", "password", "a password"))
                .expect(200);
        browser.logIn("lowly", "a password");
        browser.find("nav[aria-label=Pages] a", "Users").click();
        browser.awaitText("main [role=alert]", "unauthorized");
        browser.find("main a", "Your tokens").click();
        browser.awaitText("main", "No tokens");
    }
}
