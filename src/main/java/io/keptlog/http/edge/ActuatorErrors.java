// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.access.Refusals;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The paths below {@code /actuator/} are Spring's: what they do not know they answer without a body, and an encoded slash in a health
 * path is more than they can take. Here both get the contract's 404.
 */
final class ActuatorErrors extends OncePerRequestFilter {
    private final Refusals refusals;

    ActuatorErrors(Refusals refusals) {
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean odd = request.getRequestURI().indexOf('%') >= 0;
        if (!odd) {
            chain.doFilter(request, response);
        }
        if (odd || (response.getStatus() == HttpServletResponse.SC_NOT_FOUND && !response.isCommitted())) {
            refusals.refuse(
                    request, response, new KeptlogException(ErrorCode.NOT_FOUND, "There is nothing at this path."));
        }
    }
}
