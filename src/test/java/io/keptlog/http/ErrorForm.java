// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.JsonNode;

/** The one shape of every error (http-api §1). */
final class ErrorForm {
    private ErrorForm() {}

    static void require(RawExchange answer) {
        assertThat(answer.header("Content-Type")).as(answer.toString()).isEqualTo("application/json");
        require(answer.body(), answer.json());
    }

    static void require(String body, JsonNode error) {
        assertThat(error.path("id").isIntegralNumber()).as(body).isTrue();
        assertThat(error.path("code").asString("")).as(body).matches("[a-z0-9_]+");
        assertThat(error.path("reason").asString("")).as(body).isNotEmpty();
        assertThat(error.has("field")).as(body).isTrue();
        assertThat(body).doesNotContain("Exception").doesNotContain("\tat ");
    }
}
