// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.net.http.HttpHeaders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One answer of the server, read whole. */
public record Answer(int status, HttpHeaders headers, byte[] body) {
    public static final JsonMapper JSON = new JsonMapper();
    public static final JsonNode NOTHING = JSON.createObjectNode();

    private static final int SUCCESS_FROM = 200;
    private static final int SUCCESS_TO = 300;
    private static final long MILLIS_PER_SECOND = 1000;

    public boolean isSuccess() {
        return status >= SUCCESS_FROM && status < SUCCESS_TO;
    }

    /** An object without members when the body is empty. */
    public JsonNode json() {
        return body.length == 0 ? NOTHING : JSON.readTree(body);
    }

    public long retryAfterMillis() {
        return headers.firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,6}"))
                .map(seconds -> Long.parseLong(seconds) * MILLIS_PER_SECOND)
                .orElse(0L);
    }
}
