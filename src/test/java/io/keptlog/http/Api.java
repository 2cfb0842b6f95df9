// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests to the API with one Authorization header. */
record Api(MockMvc mvc, @Nullable String authorization) {
    static Api anonymous(MockMvc mvc) {
        return new Api(mvc, null);
    }

    static Api root(MockMvc mvc) {
        return basic(mvc, "iggy", "secret");
    }

    static Api basic(MockMvc mvc, String username, String password) {
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Api(mvc, "Basic " + Base64.getEncoder().encodeToString(pair));
    }

    static Api bearer(MockMvc mvc, String token) {
        return new Api(mvc, "Bearer " + token);
    }

    /** A session of this user. */
    static Api session(MockMvc mvc, String username, String password) {
        Reply reply = anonymous(mvc)
                .post("/users/login", "{\"username\":\"" + username + "\",\"password\":\"" + password + "\"}");
        return bearer(mvc, reply.expect(200).json().at("/access_token/token").asString());
    }

    Reply get(String path) {
        return send(HttpMethod.GET, path, null);
    }

    Reply delete(String path) {
        return send(HttpMethod.DELETE, path, null);
    }

    Reply post(String path, String json) {
        return send(HttpMethod.POST, path, json);
    }

    Reply put(String path, String json) {
        return send(HttpMethod.PUT, path, json);
    }

    private Reply send(HttpMethod method, String path, @Nullable String json) {
        var request = MockMvcRequestBuilders.request(method, java.net.URI.create(path));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        if (json != null) {
            request.contentType(MediaType.APPLICATION_JSON).content(json);
        }
        try {
            return new Reply(mvc.perform(request).andReturn().getResponse());
        } catch (Exception e) {
            throw new AssertionError(method + " " + path, e);
        }
    }

    /** What came back. */
    record Reply(MockHttpServletResponse response) {
        String body() {
            return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
        }

        JsonNode json() {
            return JsonMapper.shared().readTree(response.getContentAsByteArray());
        }

        Reply expect(int status) {
            if (response.getStatus() != status) {
                throw new AssertionError("expected " + status + ", got " + response.getStatus() + " " + body());
            }
            return this;
        }

        /** An error in the one form. */
        Reply refused(int status, int id, String code) {
            expect(status);
            ErrorForm.require(body(), json());
            if (json().path("id").asInt() != id
                    || !json().path("code").asString().equals(code)) {
                throw new AssertionError("expected " + id + " " + code + ", got " + body());
            }
            return this;
        }
    }
}
