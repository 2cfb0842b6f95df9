// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@EdgeTest
class UserControllerTest {
    private static int made;

    private final MockMvc mvc;
    private final Api root;

    @Autowired
    UserControllerTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
    }

    private String newUser(String permissions) {
        String name = "user-" + made++;
        root.post("/users", body(name, permissions)).expect(200);
        return name;
    }

    private static String body(String name, String permissions) {
        return "{\"username\":\"" + name + "\",\"password\":\"a word\",\"status\":\"active\",\"permissions\":"
                + permissions + "}";
    }

    private static String global(String granted) {
        return "{\"global\":{\"" + granted + "\":true},\"streams\":null}";
    }

    @Test
    void aUserIsCreatedListedAndFoundByIdAndName() {
        JsonNode user = root.post("/users", body("found", "null")).expect(200).json();
        assertThat(user.propertyNames())
                .containsExactlyInAnyOrder("id", "created_at", "status", "username", "options", "permissions");
        assertThat(user.path("status").asString()).isEqualTo("active");
        assertThat(user.path("permissions").isNull()).isTrue();
        assertThat(user.path("created_at").asLong() / 1_000_000)
                .isCloseTo(System.currentTimeMillis() / 1000, org.assertj.core.data.Offset.offset(60L));
        int id = user.path("id").asInt();
        assertThat(root.get("/users/" + id).expect(200).json()).isEqualTo(user);
        assertThat(root.get("/users/found").expect(200).json()).isEqualTo(user);
        JsonNode list = root.get("/users").expect(200).json();
        assertThat(list.get(0).path("id").asInt(-1)).isZero();
        assertThat(list.get(0).propertyNames())
                .containsExactlyInAnyOrder("id", "created_at", "status", "username", "options");
        assertThat(list.toString()).contains("\"found\"").doesNotContain("hash");
    }

    @Test
    void permissionsComeBackAsTheyWereSentWithEveryFlag() {
        String name = newUser(
                "{\"global\":{\"read_servers\":true},\"streams\":{\"0\":{\"manage_stream\":false,"
                        + "\"read_stream\":true,\"manage_topics\":false,\"read_topics\":false,\"poll_messages\":true,"
                        + "\"send_messages\":false},\"7\":{\"read_stream\":true,\"topics\":{\"3\":{\"send_messages\":true}}}}}");
        JsonNode permissions = root.get("/users/" + name).expect(200).json().path("permissions");
        assertThat(permissions.path("global").size()).isEqualTo(10);
        assertThat(permissions.at("/global/read_servers").asBoolean()).isTrue();
        assertThat(permissions.at("/global/manage_servers").asBoolean(true)).isFalse();
        assertThat(permissions.at("/streams/0").propertyNames())
                .containsExactlyInAnyOrder(
                        "manage_stream",
                        "read_stream",
                        "manage_topics",
                        "read_topics",
                        "poll_messages",
                        "send_messages",
                        "topics");
        assertThat(permissions.at("/streams/0/topics").isNull()).isTrue();
        assertThat(permissions.at("/streams/7/topics/3").size()).isEqualTo(4);
        assertThat(permissions.at("/streams/7/topics/3/send_messages").asBoolean())
                .isTrue();
    }

    @Test
    void permissionsThatAreNoPermissionsAreRefused() {
        root.post("/users", body("bad-permissions", "{}")).expect(400);
        root.post("/users", body("bad-permissions", "{\"global\":{\"read_users\":\"yes\"}}"))
                .refused(400, 4, "invalid_format");
        root.post("/users", body("bad-permissions", "{\"global\":{},\"streams\":{\"x\":{}}}"))
                .refused(400, 4, "invalid_format");
        root.post("/users", body("bad-permissions", "{\"global\":{},\"streams\":{\"0\":null}}"))
                .expect(400);
        root.post("/users", body("bad-permissions", "{\"global\":{},\"streams\":{\"-1\":{}}}"))
                .expect(400);
        root.get("/users/bad-permissions").refused(404, 404, "not_found");
    }

    @Test
    void namesAndPasswordsHaveTheirLimitsInBytes() {
        for (String name : new String[] {"", "ab", "x".repeat(51), "\u20ac".repeat(17), "line\\nbreak"}) {
            assertThat(root.post("/users", body(name, "null"))
                            .refused(400, 43, "invalid_username")
                            .json()
                            .path("field")
                            .asString())
                    .isEqualTo("username");
        }
        for (String password : new String[] {"", "ab", "x".repeat(101), "\u20ac".repeat(34)}) {
            root.post("/users", "{\"username\":\"limits\",\"password\":\"" + password + "\"}")
                    .refused(400, 44, "invalid_password");
        }
        root.post("/users", "{\"username\":\"limits\",\"password\":\"" + "x".repeat(100) + "\"}")
                .expect(200);
        Api.session(mvc, "limits", "x".repeat(100));
        root.post("/users", body("limits", "null")).refused(400, 46, "user_already_exists");
        assertThat(root.post("/users", "{\"username\":\"other-limits\"}")
                        .expect(400)
                        .json()
                        .path("field")
                        .asString())
                .isEqualTo("password");
        root.post("/users", "{\"username\":\"other-limits\",\"password\":\"a word\",\"status\":\"sleepy\"}")
                .refused(400, 4, "invalid_format");
        root.post("/users", "{\"username\":\"other-limits\",\"password\":\"a word\",\"options\":{\"a\":\"b\"}}")
                .refused(400, 4041, "unsupported_option_key");
    }

    @Test
    void aUserReadsItselfButNotOthersAndAbsentOnesLookForbidden() {
        String name = newUser("null");
        Api user = Api.session(mvc, name, "a word");
        assertThat(user.get("/users/me").expect(200).json().path("username").asString())
                .isEqualTo(name);
        user.get("/users/" + name).expect(200);
        user.get("/users").refused(403, 41, "unauthorized");
        user.get("/users/iggy").refused(403, 41, "unauthorized");
        user.get("/users/99999").refused(403, 41, "unauthorized");
        user.post("/users", body("by-stranger", "null")).refused(403, 41, "unauthorized");
        user.put("/users/0", "{}").refused(403, 41, "unauthorized");
        user.delete("/users/99999").refused(403, 41, "unauthorized");
        user.put("/users/0/password", "{\"current_password\":\"secret\",\"new_password\":\"other\"}")
                .refused(403, 41, "unauthorized");
        user.put("/users/me/permissions", "{\"permissions\":" + global("manage_users") + "}")
                .refused(403, 41, "unauthorized");
        root.get("/users/99999").refused(404, 404, "not_found");
        root.delete("/users/99999").refused(404, 20, "resource_not_found");
        root.put("/users/99999", "{}").refused(404, 20, "resource_not_found");
    }

    @Test
    void aUserIsRenamedAndNullLeavesEverythingAsItIs() {
        String name = newUser("null");
        root.put("/users/" + name, "{\"username\":null,\"status\":null}").expect(204);
        root.put("/users/" + name, "{}").expect(204);
        assertThat(root.get("/users/" + name).expect(200).json().path("status").asString())
                .isEqualTo("active");
        root.put("/users/" + name, "{\"username\":\"" + name + "-renamed\"}").expect(204);
        root.get("/users/" + name).refused(404, 404, "not_found");
        Api.session(mvc, name + "-renamed", "a word");
        root.put("/users/" + name + "-renamed", "{\"username\":\"iggy\"}").refused(400, 46, "user_already_exists");
    }

    @Test
    void deactivationAndDeletionEndEverythingAtOnce() {
        String name = newUser("null");
        Api session = Api.session(mvc, name, "a word");
        Api basic = Api.basic(mvc, name, "a word");
        String raw = session.post("/personal-access-tokens", "{\"name\":\"ends\",\"expiry\":0}")
                .expect(200)
                .json()
                .path("token")
                .asString();
        Api token = Api.bearer(mvc, raw);
        for (Api api : new Api[] {session, basic, token}) {
            api.get("/users/me").expect(200);
        }
        root.put("/users/" + name, "{\"status\":\"inactive\"}").expect(204);
        for (Api api : new Api[] {session, basic, token}) {
            api.get("/users/me").refused(401, 40, "unauthenticated");
        }
        Api.anonymous(mvc)
                .post("/users/login", "{\"username\":\"" + name + "\",\"password\":\"a word\"}")
                .refused(400, 42, "invalid_credentials");
        Api.anonymous(mvc)
                .post("/personal-access-tokens/login", "{\"token\":\"" + raw + "\"}")
                .refused(400, 47, "user_inactive");
        root.put("/users/" + name, "{\"status\":\"active\"}").expect(204);
        session.get("/users/me").refused(401, 40, "unauthenticated");
        basic.get("/users/me").expect(200);
        token.get("/users/me").expect(200);
        Api again = Api.session(mvc, name, "a word");
        root.delete("/users/" + name).expect(204);
        for (Api api : new Api[] {again, basic, token}) {
            assertThat(api.get("/users/me").response().getStatus()).isEqualTo(401);
        }
    }

    @Test
    void aPasswordChangeEndsTheOtherSessionsOnly() {
        String name = newUser("null");
        Api changing = Api.session(mvc, name, "a word");
        Api other = Api.session(mvc, name, "a word");
        Api basic = Api.basic(mvc, name, "a word");
        basic.get("/users/me").expect(200);
        changing.put("/users/me/password", "{\"current_password\":\"wrong\",\"new_password\":\"new word\"}")
                .refused(400, 42, "invalid_credentials");
        changing.put("/users/me/password", "{\"current_password\":\"a word\",\"new_password\":\"x\"}")
                .refused(400, 44, "invalid_password");
        other.get("/users/me").expect(200);
        changing.put("/users/" + name + "/password", "{\"current_password\":\"a word\",\"new_password\":\"new word\"}")
                .expect(204);
        changing.get("/users/me").expect(200);
        other.get("/users/me").refused(401, 40, "unauthenticated");
        basic.get("/users/me").refused(401, 40, "unauthenticated");
        Api third = Api.session(mvc, name, "new word");
        third.put("/users/me/password", "{\"current_password\":\"new word\",\"new_password\":\"newer word\"}")
                .expect(204);
        changing.get("/users/me").refused(401, 40, "unauthenticated");
        third.get("/users/me").expect(200);
    }

    @Test
    void personalAccessTokensOutliveAPasswordChange() {
        String name = newUser("null");
        Api changing = Api.session(mvc, name, "a word");
        String raw = changing.post("/personal-access-tokens", "{\"name\":\"outlives\",\"expiry\":0}")
                .expect(200)
                .json()
                .path("token")
                .asString();
        changing.put("/users/me/password", "{\"current_password\":\"a word\",\"new_password\":\"new word\"}")
                .expect(204);
        Api.bearer(mvc, raw).get("/users/me").expect(200);
        Api.anonymous(mvc)
                .post("/personal-access-tokens/login", "{\"token\":\"" + raw + "\"}")
                .expect(200);
    }

    @Test
    void permissionsCountFromTheNextRequestOn() {
        String name = newUser("null");
        Api user = Api.session(mvc, name, "a word");
        user.get("/users").refused(403, 41, "unauthorized");
        root.put("/users/" + name + "/permissions", "{\"permissions\":" + global("read_users") + "}")
                .expect(204);
        user.get("/users").expect(200);
        user.post("/users", body("never-made", "null")).refused(403, 41, "unauthorized");
        root.put("/users/" + name + "/permissions", "{\"permissions\":" + global("manage_users") + "}")
                .expect(204);
        user.get("/users").expect(200);
        root.put("/users/" + name + "/permissions", "{\"permissions\":null}").expect(204);
        user.get("/users").refused(403, 41, "unauthorized");
        assertThat(root.get("/users/" + name).json().path("permissions").isNull())
                .isTrue();
    }

    @Test
    void rootIsProtected() {
        root.delete("/users/iggy").refused(400, 48, "cannot_delete_user");
        root.delete("/users/0").refused(400, 48, "cannot_delete_user");
        root.put("/users/0/permissions", "{\"permissions\":null}").refused(400, 49, "cannot_change_permissions");
        root.put("/users/0", "{\"status\":\"inactive\"}").refused(400, 49, "cannot_change_permissions");
        Api manager = Api.session(mvc, newUser(global("manage_users")), "a word");
        manager.put("/users/0", "{\"username\":\"captured\"}").refused(403, 41, "unauthorized");
        root.get("/users/iggy").expect(200);
    }

    @Test
    void anEmptyOrTooLongIdentifierIsRefused() {
        root.get("/users/" + "x".repeat(256)).refused(400, 6, "invalid_identifier");
        root.get("/users/" + "x".repeat(255)).refused(404, 404, "not_found");
        root.get("/users/4294967295").refused(404, 404, "not_found");
        root.get("/users/4294967296").refused(404, 404, "not_found");
    }

    @Test
    void prometheusNeedsReadServersAndHealthDetailsNeedALogin() {
        Api.anonymous(mvc).get("/actuator/prometheus").refused(401, 77, "access_token_missing");
        Api.session(mvc, newUser("null"), "a word").get("/actuator/prometheus").refused(403, 41, "unauthorized");
        assertThat(Api.session(mvc, newUser(global("read_servers")), "a word")
                        .get("/actuator/prometheus")
                        .response()
                        .getStatus())
                .isNotIn(401, 403);
        assertThat(Api.anonymous(mvc).get("/actuator/health").expect(200).body())
                .doesNotContain("components");
        assertThat(root.get("/actuator/health")
                        .expect(200)
                        .json()
                        .at("/components/storage/status")
                        .asString())
                .isEqualTo("UP");
        Api.anonymous(mvc).get("/actuator/info").refused(401, 77, "access_token_missing");
        for (String hidden :
                new String[] {"env", "beans", "heapdump", "loggers", "configprops", "threaddump", "mappings"}) {
            root.get("/actuator/" + hidden).refused(404, 404, "not_found");
        }
    }
}
