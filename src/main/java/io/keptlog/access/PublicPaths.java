// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * What needs no caller (http-api §1, §2: PUBLIC). Compares the path as it was sent: the firewall has refused every path that can be
 * written in two ways (dot segments, semicolons, double slashes).
 */
final class PublicPaths implements RequestMatcher {
    private static final Set<String> READ =
            Set.of("/", "/ping", "/actuator/health", "/swagger-ui.html", "/v3/api-docs", "/v3/api-docs.yaml");
    private static final List<String> READ_BELOW =
            List.of("/assets/", "/actuator/health/", "/swagger-ui/", "/v3/api-docs/");
    private static final Set<String> POST =
            Set.of("/users/login", "/users/refresh-token", "/personal-access-tokens/login");

    @Override
    public boolean matches(HttpServletRequest request) {
        String path = request.getRequestURI();
        return switch (request.getMethod()) {
            case "GET", "HEAD" -> READ.contains(path) || READ_BELOW.stream().anyMatch(path::startsWith);
            case "POST" -> POST.contains(path);
            default -> false;
        };
    }
}
