// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.keptlog.http.error.RequestId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

@ServerTest
class RequestIdTest {
    private static final String MADE = "[0-9a-f]{16}";

    private final MockMvc mvc;

    @Autowired
    RequestIdTest(MockMvc mvc) {
        this.mvc = mvc;
    }

    private MockHttpServletResponse answer(MockHttpServletRequestBuilder request, @Nullable String id)
            throws Exception {
        request.header("Authorization", Api.root(mvc).authorization());
        if (id != null) {
            request.header(RequestId.HEADER, id);
        }
        return mvc.perform(request).andReturn().getResponse();
    }

    @Test
    void aClientsOwnNameComesBackInEveryAnswer() throws Exception {
        assertThat(answer(get("/streams"), "trace-1:2.a_B").getHeader(RequestId.HEADER))
                .isEqualTo("trace-1:2.a_B");
        for (String path : new String[] {"/streams/absent", "/nowhere", "/streams?consistency=no"}) {
            MockHttpServletResponse refused = answer(get(path), "mine");
            assertThat(refused.getStatus()).as(path).isGreaterThanOrEqualTo(400);
            assertThat(refused.getHeader(RequestId.HEADER)).as(path).isEqualTo("mine");
        }
        MockHttpServletResponse stranger = mvc.perform(get("/streams").header(RequestId.HEADER, "mine"))
                .andReturn()
                .getResponse();
        assertThat(stranger.getStatus()).isEqualTo(401);
        assertThat(stranger.getHeader(RequestId.HEADER)).isEqualTo("mine");
    }

    @Test
    void anErrorAndAChangeHaveANameAlsoWhenTheClientGaveNone() throws Exception {
        assertThat(answer(get("/streams/absent"), null).getHeader(RequestId.HEADER))
                .matches(MADE);
        assertThat(answer(post("/streams").contentType("application/json").content("{\"name\":\"named-by-us\"}"), null)
                        .getHeader(RequestId.HEADER))
                .matches(MADE);
        assertThat(answer(get("/streams"), null).getHeader(RequestId.HEADER))
                .as("a good read")
                .isNull();
    }

    @Test
    void aNameThatIsLongOrNotPlainIsNotTaken() throws Exception {
        for (String odd : new String[] {"", "a b", "<script>", "ä", "x".repeat(65), "a\"b"}) {
            assertThat(answer(get("/streams"), odd).getHeader(RequestId.HEADER))
                    .as(odd)
                    .isNull();
            assertThat(answer(get("/streams/absent"), odd).getHeader(RequestId.HEADER))
                    .as(odd)
                    .matches(MADE);
        }
        MockHttpServletResponse split = answer(get("/streams"), "a\r\nSet-Cookie: x");
        assertThat(split.getHeader(RequestId.HEADER)).matches(MADE);
        assertThat(split.getHeader("Set-Cookie")).isNull();
        assertThat(answer(get("/streams"), "x".repeat(64)).getHeader(RequestId.HEADER))
                .hasSize(64);
    }
}
