// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Names a request in its answer and in the log. A client's own name, when it is short and plain, is in every answer; one is made only
 * where somebody will look for it, in errors and in the audit log, so that produce and poll pay for one look at the headers.
 */
public final class RequestId {
    public static final String HEADER = "X-Request-Id";

    private static final int MAX_CHARS = 64;

    private RequestId() {}

    /** Gives the client's own name back. */
    public static void echo(HttpServletRequest request, HttpServletResponse response) {
        String given = request.getHeader(HEADER);
        if (given != null && isPlain(given)) {
            response.setHeader(HEADER, given);
        }
    }

    /** The name that the answer has; makes one when it has none and can still get one. */
    public static String ensure(HttpServletResponse response) {
        @Nullable String named = response.getHeader(HEADER);
        if (named != null) {
            return named;
        }
        String made = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        response.setHeader(HEADER, made);
        return made;
    }

    /** Letters, digits and - _ . : alone: nothing that means something in a header, in a log or in HTML. */
    private static boolean isPlain(String given) {
        if (given.isEmpty() || given.length() > MAX_CHARS) {
            return false;
        }
        for (int i = 0; i < given.length(); i++) {
            char c = given.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_'
                    || c == '.'
                    || c == ':';
            if (!plain) {
                return false;
            }
        }
        return true;
    }
}
