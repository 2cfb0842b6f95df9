// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.web.servlet.HandlerMapping;

/** Identifiers of paths, each with the field that an error names. Throws INVALID_IDENTIFIER. */
final class PathIds {
    static final String STREAM = "stream_id";
    static final String TOPIC = "topic_id";
    static final String PARTITION = "partition_id";
    static final String GROUP = "group_id";

    private PathIds() {}

    static Identifier stream(String text) {
        return Identifier.parse(text, STREAM);
    }

    static Identifier topic(String text) {
        return Identifier.parse(text, TOPIC);
    }

    /** Of the path that Spring has matched; cheaper than a converted parameter. */
    static Identifier stream(HttpServletRequest request) {
        return Identifier.parse(variable(request, STREAM), STREAM);
    }

    static Identifier topic(HttpServletRequest request) {
        return Identifier.parse(variable(request, TOPIC), TOPIC);
    }

    private static String variable(HttpServletRequest request, String name) {
        if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                && variables.get(name) instanceof String value) {
            return value;
        }
        throw new IllegalStateException("the path of this request has no variable " + name);
    }

    static Identifier group(String text) {
        return Identifier.parse(text, GROUP);
    }
}
