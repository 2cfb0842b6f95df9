// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An answer that is no success, with what the server's error body says. */
public final class ServerRefused extends IOException {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int TIMEOUT = 504;
    private static final int NO_SPACE = 507;
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHENTICATED = 401;
    private static final String ABSENT = "not_found";
    private static final String FENCED = "partition_fenced";

    private final int status;
    private final String code;
    private final String reason;
    private final long retryAfterMillis;
    private final long storedLines;
    private final boolean isTlsAskedFor;

    public ServerRefused(Answer answer) {
        super("the server answers " + answer.status());
        JsonNode body = parsed(answer);
        this.status = answer.status();
        this.code = body.path("code").asString("");
        this.reason = body.path("reason").asString("");
        this.storedLines = body.path("stored_lines").asLong(0);
        this.retryAfterMillis = answer.retryAfterMillis();
        // Tomcat's own words, before there is a request that Keptlog could answer.
        this.isTlsAskedFor = status == BAD_REQUEST
                && new String(answer.body(), StandardCharsets.ISO_8859_1).contains("requires TLS");
    }

    private static JsonNode parsed(Answer answer) {
        try {
            return answer.json();
        } catch (JacksonException e) {
            // Not from the server itself but from something before it: the status has to do.
            return Answer.NOTHING;
        }
    }

    /** The answer to a question for an offset that was never stored, of a topic that is there. */
    public boolean isNeverStored() {
        return status == NOT_FOUND && code.equals(ABSENT);
    }

    /** Whether the same request may succeed later; an idempotent one may also have been stored already. */
    public boolean isTransient() {
        return status == TOO_MANY_REQUESTS
                || (status == UNAVAILABLE && !code.equals(FENCED))
                || status == TIMEOUT
                || status == NO_SPACE;
    }

    /** How long to leave the server alone; 0 = it did not say. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    /** Lines of the refused request that are stored all the same. */
    public long storedLines() {
        return storedLines;
    }

    @Override
    public String getMessage() {
        if (code.isEmpty()) {
            return "the server answers " + status + (isTlsAskedFor ? ": it speaks https, not http" : "");
        }
        String next = status == UNAUTHENTICATED
                ? " Who asks is said by --username and --password-file, or KEPTLOG_CLIENT_USERNAME and"
                        + " KEPTLOG_CLIENT_PASSWORD."
                : "";
        return code + " (" + status + "): " + reason + next;
    }
}
