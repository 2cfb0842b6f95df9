// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

/**
 * Which paths need a caller: all but {@link PublicPaths}. Metrics also need the permission to read the server; what else a caller may do
 * is asked by the controllers. No caller where one is needed is the supplier's AuthenticationException.
 */
final class PathAccess implements AuthorizationManager<HttpServletRequest> {
    private static final AuthorizationDecision GRANTED = new AuthorizationDecision(true);
    private static final String METRICS = "/actuator/prometheus";

    private final PublicPaths publicPaths = new PublicPaths();
    private final Guard guard;

    PathAccess(Guard guard) {
        this.guard = guard;
    }

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, HttpServletRequest request) {
        if (publicPaths.matches(request)) {
            return GRANTED;
        }
        Authentication caller = authentication.get();
        boolean known = caller != null && caller.isAuthenticated();
        if (known && request.getRequestURI().startsWith(METRICS)) {
            return new AuthorizationDecision(guard.mayReadServers());
        }
        return known ? GRANTED : new AuthorizationDecision(false);
    }
}
