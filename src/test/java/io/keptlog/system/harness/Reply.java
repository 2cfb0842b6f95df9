// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One HTTP answer. */
public record Reply(int status, HttpHeaders headers, byte[] body) {
    private static final JsonMapper JSON = new JsonMapper();

    public JsonNode json() {
        return JSON.readTree(body);
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public String header(String name) {
        return headers.firstValue(name)
                .orElseThrow(() -> new AssertionError("no header " + name + " in " + headers.map()));
    }

    public long number(String header) {
        return Long.parseUnsignedLong(header(header));
    }

    /** This reply, when its status is one of those expected. */
    public Reply expect(int... expected) {
        if (Arrays.stream(expected).noneMatch(s -> s == status)) {
            String shown = text();
            throw new AssertionError("status " + status + " instead of " + Arrays.toString(expected) + ": "
                    + shown.substring(0, Math.min(shown.length(), 2000)));
        }
        return this;
    }

    /** The stable code in an error body, or the empty string. */
    public String code() {
        return json().path("code").asString("");
    }

    @Override
    public String toString() {
        return status + " " + text();
    }
}
