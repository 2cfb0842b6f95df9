// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.Caller;
import io.keptlog.access.Guard;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.error.RequestId;
import io.keptlog.service.system.ClientRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * What holds for every request of a known caller (Iggy HTTP API §1): the header {@code Iggy-View}, the parameter {@code consistency},
 * a place in the list of clients, a name where one is wanted, and the audit log's line of a change.
 */
@Component
class RequestInterceptor implements HandlerInterceptor {
    /** One node never changes its view. */
    private static final String VIEW_OF_ONE_NODE = "0";

    private final Guard guard;
    private final ClientRegistry clients;
    private final AuditTrail audit;

    RequestInterceptor(Guard guard, ClientRegistry clients, AuditTrail audit) {
        this.guard = guard;
        this.clients = clients;
        this.audit = audit;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        RequestId.echo(request, response);
        if (AuditTrail.concerns(request, handler)) {
            RequestId.ensure(response);
        }
        Optional<Caller> caller = guard.current();
        if (caller.isPresent()) {
            response.setHeader("Iggy-View", VIEW_OF_ONE_NODE);
            clients.seen(caller.get().userId(), request.getRemoteAddr());
        }
        if (request.getQueryString() != null && request.getMethod().equals("GET")) {
            checkConsistency(request.getParameter("consistency"));
        }
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception unhandled) {
        if (AuditTrail.concerns(request, handler) && handler instanceof HandlerMethod method) {
            audit.completed(request, response, method);
        }
    }

    /** Both levels hold for every read of one node. */
    private static void checkConsistency(@Nullable String consistency) {
        if (consistency != null && !consistency.equals("serializable") && !consistency.equals("linearizable")) {
            throw new KeptlogException(
                    ErrorCode.BAD_REQUEST, "A read's consistency is serializable or linearizable.", "consistency");
        }
    }
}
