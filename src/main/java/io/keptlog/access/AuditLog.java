// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Who changed what, when and with which result: one line of JSON each in the logger {@code keptlog.audit}. Never a password, a token or a
 * message. Text of clients is quoted, so that it cannot make lines of its own. Safe for any number of threads.
 */
public final class AuditLog {
    public static final String LOGGER = "keptlog.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final JsonMapper JSON = new JsonMapper();
    /** Longer texts come only from requests that are refused. */
    private static final int TEXT_MAX_CHARS = 1_000;

    private AuditLog() {}

    /**
     * A change that was asked for.
     *
     * @param user null = nobody who is known
     * @param operation as the API's documentation calls it
     * @param subject the name that the request gives to what it makes or changes; null = its path says all
     */
    public record Change(
            @Nullable Caller user,
            String address,
            String operation,
            String method,
            String path,
            @Nullable String subject,
            int status,
            String requestId) {}

    public static void changed(Change change) {
        Map<String, Object> line = new LinkedHashMap<>();
        Caller user = change.user();
        line.put("event", change.operation());
        line.put("result", change.status() < 400 ? "done" : "refused");
        line.put("status", change.status());
        if (user != null) {
            line.put("user", user.username());
            line.put("user_id", user.userId());
        }
        line.put("address", change.address());
        line.put("method", change.method());
        line.put("path", cut(change.path()));
        if (change.subject() != null) {
            line.put("subject", cut(change.subject()));
        }
        line.put("request_id", change.requestId());
        LOG.info(JSON.writeValueAsString(line));
    }

    /** A wrong name or password; how many there can be is bounded by the throttle. */
    static void loginFailed(String username, String address) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "login");
        line.put("result", "refused");
        line.put("user", cut(username));
        line.put("address", address);
        LOG.info(JSON.writeValueAsString(line));
    }

    private static String cut(String text) {
        return text.length() <= TEXT_MAX_CHARS ? text : text.substring(0, TEXT_MAX_CHARS) + "…";
    }
}
