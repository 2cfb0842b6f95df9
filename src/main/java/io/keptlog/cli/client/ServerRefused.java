// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** An answer that is no success, with what the server's error body says. */
public final class ServerRefused extends IOException {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int TIMEOUT = 504;
    private static final int NO_SPACE = 507;
    private static final int NOT_FOUND = 404;
    private static final String ABSENT = "not_found";
    private static final String FENCED = "partition_fenced";

    private final int status;
    private final String code;
    private final String reason;
    private final long retryAfterMillis;
    private final long storedLines;

    public ServerRefused(Answer answer) {
        super("the server answers " + answer.status());
        JsonNode body = parsed(answer);
        this.status = answer.status();
        this.code = body.path("code").asString("");
        this.reason = body.path("reason").asString("");
        this.storedLines = body.path("stored_lines").asLong(0);
        this.retryAfterMillis = answer.retryAfterMillis();
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
        return code.isEmpty() ? "the server answers " + status : code + " (" + status + "): " + reason;
    }
}
