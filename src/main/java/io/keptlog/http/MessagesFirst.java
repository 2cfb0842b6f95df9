// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.UriUtils;

/**
 * Finds the handlers of produce and poll, which nearly every request wants, by a look at the path as it was sent; Spring tries the
 * patterns of all controllers otherwise, and sets a dozen attributes that nobody reads (docs/performance.md). The handlers are those that
 * Spring has found; what is not exactly such a path is left to Spring. The firewall has seen the path: it is percent-encoded UTF-8, with
 * no empty segments and no parameters.
 */
final class MessagesFirst implements HandlerMapping, Ordered {
    private static final String STREAMS = "/streams/";
    private static final String TOPICS = "/topics/";
    private static final String MESSAGES = "/messages";

    private final HandlerInterceptor interceptor;
    private final Map<String, Object> handlers = new HashMap<>();

    MessagesFirst(RequestMappingHandlerMapping all, HandlerInterceptor interceptor) {
        this.interceptor = interceptor;
        all.getHandlerMethods().forEach((info, handler) -> {
            if (info.getPatternValues().contains(MessageController.PATH)) {
                info.getMethodsCondition()
                        .getMethods()
                        .forEach(method -> handlers.put(method.name(), handler.createWithResolvedBean()));
            }
        });
        if (handlers.isEmpty()) {
            throw new IllegalStateException("no handler for " + MessageController.PATH);
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable HandlerExecutionChain getHandler(HttpServletRequest request) {
        Object handler = handlers.get(request.getMethod());
        Map<String, String> variables = handler == null ? null : variables(request.getRequestURI());
        if (handler == null || variables == null) {
            return null;
        }
        request.setAttribute(URI_TEMPLATE_VARIABLES_ATTRIBUTE, variables);
        return new HandlerExecutionChain(handler, interceptor);
    }

    /** Of {@code /streams/{stream_id}/topics/{topic_id}/messages}; null for any other path. */
    static @Nullable Map<String, String> variables(String path) {
        int streamEnd = path.startsWith(STREAMS) ? path.indexOf('/', STREAMS.length()) : -1;
        if (streamEnd <= STREAMS.length() || !path.startsWith(TOPICS, streamEnd)) {
            return null;
        }
        int topic = streamEnd + TOPICS.length();
        int topicEnd = path.indexOf('/', topic);
        if (topicEnd <= topic || path.length() != topicEnd + MESSAGES.length() || !path.endsWith(MESSAGES)) {
            return null;
        }
        return Map.of(
                PathIds.STREAM, decoded(path.substring(STREAMS.length(), streamEnd)),
                PathIds.TOPIC, decoded(path.substring(topic, topicEnd)));
    }

    private static String decoded(String segment) {
        return segment.indexOf('%') < 0 ? segment : UriUtils.decode(segment, StandardCharsets.UTF_8);
    }
}
