// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.storage.InMemoryCatalog;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@EdgeTest
class TokenControllerTest {
    private static final String NEVER = "18446744073709551615";
    private static int made;

    private final MockMvc mvc;
    private final InMemoryCatalog catalog;
    private final String username;
    private final Api user;

    @Autowired
    TokenControllerTest(MockMvc mvc, InMemoryCatalog catalog) {
        this.mvc = mvc;
        this.catalog = catalog;
        this.username = "token-owner-" + made++;
        Api.root(mvc)
                .post("/users", "{\"username\":\"" + username + "\",\"password\":\"a word\"}")
                .expect(200);
        this.user = Api.session(mvc, username, "a word");
    }

    private String create(String name, String expiry) {
        return user.post("/personal-access-tokens", "{\"name\":\"" + name + "\",\"expiry\":" + expiry + "}")
                .expect(200)
                .json()
                .path("token")
                .asString();
    }

    @Test
    void aTokenWorksAsBearerAndByLoginAndIsShownOnce() {
        String token = create("both", NEVER);
        assertThat(Api.bearer(mvc, token)
                        .get("/users/me")
                        .expect(200)
                        .json()
                        .path("username")
                        .asString())
                .isEqualTo(username);
        String session = Api.anonymous(mvc)
                .post("/personal-access-tokens/login", "{\"token\":\"" + token + "\"}")
                .expect(200)
                .json()
                .at("/access_token/token")
                .asString();
        Api.bearer(mvc, session).get("/users/me").expect(200);
        JsonNode list = user.get("/personal-access-tokens").expect(200).json();
        assertThat(list.size()).isEqualTo(1);
        assertThat(list.get(0).propertyNames()).containsExactlyInAnyOrder("name", "expiry_at");
        assertThat(list.get(0).path("expiry_at").isNull()).isTrue();
        assertThat(list.toString()).doesNotContain(token);
        assertThat(catalog.changes().toString()).doesNotContain(token);
        assertThat(catalog.changes().stream()
                        .filter(CatalogChange.TokenCreated.class::isInstance)
                        .toList())
                .isNotEmpty();
    }

    @Test
    void aTokenOfFiftyMillisecondsLivesThatLong() {
        long before = System.currentTimeMillis() * 1000;
        String token = create("short", "3000000");
        long expiry = user.get("/personal-access-tokens")
                .json()
                .get(0)
                .path("expiry_at")
                .asLong();
        assertThat(expiry - before).isBetween(3_000_000L, 13_000_000L);
        Api.bearer(mvc, token).get("/users/me").expect(200);
        String brief = create("brief", "50000");
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(5))
                .until(() -> Api.bearer(mvc, brief).get("/users/me").response().getStatus() == 401);
        Api.bearer(mvc, brief).get("/users/me").refused(401, 53, "invalid_personal_access_token");
        Api.anonymous(mvc)
                .post("/personal-access-tokens/login", "{\"token\":\"" + brief + "\"}")
                .refused(401, 53, "invalid_personal_access_token");
        assertThat(user.get("/personal-access-tokens").json().size()).isEqualTo(2);
        user.delete("/personal-access-tokens/brief").expect(204);
    }

    @Test
    void aDeletedTokenIsRefusedAtOnce() {
        String token = create("gone", "0");
        Api.bearer(mvc, token).get("/users/me").expect(200);
        user.delete("/personal-access-tokens/gone").expect(204);
        Api.bearer(mvc, token).get("/users/me").refused(401, 53, "invalid_personal_access_token");
        user.delete("/personal-access-tokens/gone").refused(404, 404, "not_found");
    }

    @Test
    void namesExpiriesAndTheNumberOfTokensAreLimited() {
        for (String name : new String[] {"", "ab", "x".repeat(31)}) {
            user.post("/personal-access-tokens", "{\"name\":\"" + name + "\",\"expiry\":0}")
                    .refused(400, 50, "invalid_personal_access_token_name");
        }
        create("twice", "0");
        user.post("/personal-access-tokens", "{\"name\":\"twice\",\"expiry\":0}")
                .refused(400, 51, "personal_access_token_already_exists");
        for (String expiry : new String[] {"18446744073709551614", "9223372036854775808", "9223372036854775807"}) {
            user.post("/personal-access-tokens", "{\"name\":\"far\",\"expiry\":" + expiry + "}")
                    .refused(400, 56, "invalid_personal_access_token_expiry");
        }
        for (String expiry :
                new String[] {"-1", "18446744073709551616", "1e3", "1.5", "\"1\"", "\" 1\"", "true", "[]"}) {
            user.post("/personal-access-tokens", "{\"name\":\"odd\",\"expiry\":" + expiry + "}")
                    .refused(400, 4, "invalid_format");
        }
        for (int i = 1; i < Limits.TOKENS_PER_USER_MAX; i++) {
            create("number-" + i, "0");
        }
        user.post("/personal-access-tokens", "{\"name\":\"too-many\",\"expiry\":0}")
                .refused(400, 52, "personal_access_tokens_limit_reached");
    }

    @Test
    void tokensBelongToOneUserOnly() {
        create("mine", "0");
        assertThat(Api.root(mvc).get("/personal-access-tokens").expect(200).body())
                .doesNotContain("mine");
        Api.root(mvc).delete("/personal-access-tokens/mine").refused(404, 404, "not_found");
    }
}
