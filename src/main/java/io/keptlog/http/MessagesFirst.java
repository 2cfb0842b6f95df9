// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Looks at the path of produce and poll before it looks at all others: nearly every request has it, and Spring tries the patterns of all
 * controllers for each request otherwise (docs/performance.md). What is found is the same.
 */
final class MessagesFirst extends RequestMappingHandlerMapping {
    private static final PathPattern MESSAGES = PathPatternParser.defaultInstance.parse(MessageController.PATH);

    private final Map<String, Mapped> byMethod = new HashMap<>();

    private record Mapped(RequestMappingInfo info, HandlerMethod handler) {}

    @Override
    public void afterPropertiesSet() {
        super.afterPropertiesSet();
        getHandlerMethods().forEach((info, handler) -> {
            if (info.getPatternValues().contains(MessageController.PATH)) {
                info.getMethodsCondition()
                        .getMethods()
                        .forEach(method -> byMethod.put(method.name(), new Mapped(info, handler)));
            }
        });
        if (byMethod.isEmpty()) {
            throw new IllegalStateException("no handler for " + MessageController.PATH);
        }
    }

    @Override
    protected @Nullable HandlerMethod lookupHandlerMethod(String lookupPath, HttpServletRequest request)
            throws Exception {
        Mapped mapped = byMethod.get(request.getMethod());
        if (mapped != null
                && MESSAGES.matches(
                        ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication())) {
            handleMatch(mapped.info(), lookupPath, request);
            return mapped.handler();
        }
        return super.lookupHandlerMethod(lookupPath, request);
    }
}
