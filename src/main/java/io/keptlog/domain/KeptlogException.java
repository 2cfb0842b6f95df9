// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A refusal or failure that a client is told about. Carries no secret and no path of the server. The stack trace is left out: it is
 * thrown on ordinary paths (a full disk under load), and the cause keeps its own.
 */
public class KeptlogException extends RuntimeException {
    private final ErrorCode code;
    private final @Nullable String field;
    private final int retryAfterSeconds;
    private final Map<String, Object> details;

    public KeptlogException(ErrorCode code, String reason) {
        this(code, reason, null);
    }

    public KeptlogException(ErrorCode code, String reason, @Nullable String field) {
        this(code, reason, field, 0, Map.of(), null);
    }

    /**
     * @param field the member or parameter at fault, or null
     * @param retryAfterSeconds when above 0, the client may try again after that many seconds
     * @param details further members of the error body, for example {@code expected_sequence}
     */
    public KeptlogException(
            ErrorCode code,
            String reason,
            @Nullable String field,
            int retryAfterSeconds,
            Map<String, Object> details,
            @Nullable Throwable cause) {
        super(reason, cause, false, false);
        this.code = code;
        this.field = field;
        this.retryAfterSeconds = retryAfterSeconds;
        this.details = Map.copyOf(details);
    }

    public static KeptlogException retryable(ErrorCode code, String reason, int retryAfterSeconds) {
        return new KeptlogException(code, reason, null, retryAfterSeconds, Map.of(), null);
    }

    /** The same error with one more member in its body. */
    public KeptlogException with(String member, Object value) {
        var more = new java.util.LinkedHashMap<>(details);
        more.put(member, value);
        return new KeptlogException(code, reason(), field, retryAfterSeconds, more, this);
    }

    public ErrorCode code() {
        return code;
    }

    public String reason() {
        return java.util.Objects.requireNonNullElse(getMessage(), code.code());
    }

    public @Nullable String field() {
        return field;
    }

    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    public Map<String, Object> details() {
        return details;
    }
}
