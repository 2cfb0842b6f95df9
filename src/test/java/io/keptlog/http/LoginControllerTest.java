// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@EdgeTest
class LoginControllerTest {
    private final MockMvc mvc;

    @Autowired
    LoginControllerTest(MockMvc mvc) {
        this.mvc = mvc;
    }

    @Test
    void aLoginAnswersATokenThatABrowserClientCanRead() {
        JsonNode reply = Api.anonymous(mvc)
                .post(
                        "/users/login",
                        "{\"username\":\"iggy\",\"password\":\"secret\",\"version\":\"1\",\"context\":\"\"}")
                .expect(200)
                .json();
        assertThat(reply.path("user_id").asInt(-1)).isZero();
        String token = reply.at("/access_token/token").asString();
        long expiry = reply.at("/access_token/expiry").asLong();
        JsonNode claims = JsonMapper.shared()
                .readTree(new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8));
        assertThat(claims.path("sub").asString()).isEqualTo("0");
        assertThat(claims.path("exp").asLong()).isEqualTo(expiry);
        assertThat(expiry - System.currentTimeMillis() / 1000).isBetween(3590L, 3600L);
        Api.bearer(mvc, token).get("/users").expect(200);
    }

    @Test
    void wrongCredentialsAreA400() {
        Api stranger = Api.anonymous(mvc);
        stranger.post("/users/login", "{\"username\":\"iggy\",\"password\":\"wrong\"}")
                .refused(400, 42, "invalid_credentials");
        stranger.post("/users/login", "{\"username\":\"nobody\",\"password\":\"secret\"}")
                .refused(400, 42, "invalid_credentials");
    }

    @Test
    void aLoginWithoutAMemberOrOfAnotherTypeNamesIt() {
        Api stranger = Api.anonymous(mvc);
        assertThat(stranger.post("/users/login", "{\"username\":\"iggy\"}")
                        .expect(400)
                        .json()
                        .path("field")
                        .asString())
                .isEqualTo("password");
        assertThat(stranger.post("/users/login", "{\"username\":\"iggy\",\"password\":1}")
                        .refused(400, 4, "invalid_format")
                        .json()
                        .path("field")
                        .asString())
                .isEqualTo("password");
        stranger.post("/users/login", "nonsense").refused(400, 4, "invalid_format");
        stranger.post("/users/login", "").expect(400);
    }

    @Test
    void logoutEndsTheSessionAtOnceAndOnlyThisOne() {
        Api one = Api.session(mvc, "iggy", "secret");
        Api two = Api.session(mvc, "iggy", "secret");
        one.get("/users").expect(200);
        one.delete("/users/logout").expect(204);
        one.get("/users").refused(401, 40, "unauthenticated");
        two.get("/users").expect(200);
    }

    @Test
    void aRefreshAnswersANewTokenAndEndsTheFormer() {
        Api session = Api.session(mvc, "iggy", "secret");
        String former = String.valueOf(session.authorization()).substring("Bearer ".length());
        String next = Api.anonymous(mvc)
                .post("/users/refresh-token", "{\"token\":\"" + former + "\"}")
                .expect(200)
                .json()
                .at("/access_token/token")
                .asString();
        Api.bearer(mvc, next).get("/users").expect(200);
        session.get("/users").refused(401, 40, "unauthenticated");
        Api.anonymous(mvc)
                .post("/users/refresh-token", "{\"token\":\"" + former + "\"}")
                .refused(401, 40, "unauthenticated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "garbage", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIwIn0."})
    void whatIsNoTokenIsNotRefreshed(String token) {
        Api.anonymous(mvc)
                .post("/users/refresh-token", "{\"token\":\"" + token + "\"}")
                .refused(401, 40, "unauthenticated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Bearer", "Bearer ", "Bearer stale", "Digest x", "Basic !!", "Basic bm9ib2R5OndyaXRlcw=="})
    void publicPathsIgnoreAnyAuthorization(String header) {
        Api odd = new Api(mvc, header);
        odd.post("/users/login", "{\"username\":\"iggy\",\"password\":\"secret\"}")
                .expect(200);
        odd.get("/actuator/health").expect(200);
        odd.get("/v3/api-docs").expect(200);
    }

    @Test
    void aMissingAndAnInvalidTokenAreToldApartAndNoDialogIsAskedFor() {
        for (String missing : new String[] {"", "Bearer", "Bearer ", "Digest x"}) {
            var reply = new Api(mvc, missing).get("/users").refused(401, 77, "access_token_missing");
            assertThat(reply.response().getHeaders("WWW-Authenticate")).containsExactly("Bearer");
        }
        Api.anonymous(mvc).get("/users").refused(401, 77, "access_token_missing");
        Api.anonymous(mvc).get("/no/such/path").refused(401, 77, "access_token_missing");
        for (String invalid : new String[] {"Bearer x", "Bearer a.b.c", "Basic !!", "Basic bm9ib2R5OndyaXRlcw=="}) {
            var reply = new Api(mvc, invalid).get("/users").refused(401, 40, "unauthenticated");
            assertThat(reply.response().getHeaders("WWW-Authenticate")).containsExactly("Bearer");
        }
        new Api(mvc, "Bearer kpt_0_nonsense").get("/users").refused(401, 53, "invalid_personal_access_token");
    }

    @Test
    void aTokenSignedByAnotherKeyOrChangedIsRefused() {
        Api session = Api.session(mvc, "iggy", "secret");
        String token = String.valueOf(session.authorization()).substring("Bearer ".length());
        String[] parts = token.split("\\.");
        char last = parts[2].charAt(10);
        String signature = parts[2].substring(0, 10) + (last == 'A' ? 'B' : 'A') + parts[2].substring(11);
        Api.bearer(mvc, parts[0] + "." + parts[1] + "." + signature)
                .get("/users")
                .refused(401, 40, "unauthenticated");
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                .replace("\"sub\":\"0\"", "\"sub\":\"1\"");
        String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        Api.bearer(mvc, parts[0] + "." + forged + "." + parts[2]).get("/users").refused(401, 40, "unauthenticated");
    }

    @Test
    void failedLoginsAreThrottledPerNameAndGoodOnesNever() {
        for (int i = 0; i < 70; i++) {
            Api.session(mvc, "iggy", "secret");
        }
        String guess = "{\"username\":\"victim\",\"password\":\"guess\"}";
        for (int i = 0; i < Limits.LOGIN_FAILURES_MAX; i++) {
            Api.anonymous(mvc).post("/users/login", guess).refused(400, 42, "invalid_credentials");
        }
        var refused = Api.anonymous(mvc).post("/users/login", guess).refused(429, 429, "too_many_login_attempts");
        assertThat(Integer.parseInt(String.valueOf(refused.response().getHeader("Retry-After"))))
                .isBetween(1, Limits.LOGIN_WINDOW_SECONDS);
        Api.basic(mvc, "victim", "guess").get("/users").refused(429, 429, "too_many_login_attempts");
        Api.session(mvc, "iggy", "secret").get("/users").expect(200);
    }
}
