// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.KeptlogException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;

/**
 * Finds out who is calling. Refuses nobody: what was wrong is kept with the request and told by the entry point, when the path needs a
 * caller. So a PUBLIC path ignores a stale or empty header. The context is this request's own and goes with it.
 */
final class AuthenticationFilter extends HttpFilter {
    /** The KeptlogException that says why there is no caller. */
    static final String REFUSAL = AuthenticationFilter.class.getName() + ".refusal";

    private final Authenticator authenticator;

    AuthenticationFilter(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
        }
        try {
            identify(request);
            chain.doFilter(request, response);
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    private void identify(HttpServletRequest request) {
        try {
            Caller caller =
                    authenticator.authenticate(request.getHeader(HttpHeaders.AUTHORIZATION), request.getRemoteAddr());
            SecurityContextHolder.setContext(new SecurityContextImpl(new CallerAuthentication(caller)));
        } catch (KeptlogException e) {
            request.setAttribute(REFUSAL, e);
        }
    }
}
