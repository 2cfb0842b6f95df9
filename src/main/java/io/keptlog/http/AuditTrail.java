// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.AuditLog;
import io.keptlog.access.Guard;
import io.keptlog.http.dto.catalog.CreateGroup;
import io.keptlog.http.dto.catalog.CreateTopic;
import io.keptlog.http.dto.catalog.StreamRequest;
import io.keptlog.http.dto.catalog.UpdateTopic;
import io.keptlog.http.dto.user.CreateTokenRequest;
import io.keptlog.http.dto.user.CreateUserRequest;
import io.keptlog.http.dto.user.LoginRequest;
import io.keptlog.http.dto.user.UpdateUserRequest;
import io.keptlog.http.error.RequestId;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Tells the audit log of every request that changes something but messages and consumer offsets, also of those that were refused. Keeps,
 * of a body, only the name it gives to something.
 */
@RestControllerAdvice
class AuditTrail extends RequestBodyAdviceAdapter {
    private static final String SUBJECT = AuditTrail.class.getName() + ".subject";
    private static final String BARRIER = "/flush";
    private static final int FIRST_FAILURE = 400;

    private final Guard guard;

    AuditTrail(Guard guard) {
        this.guard = guard;
    }

    @Override
    public boolean supports(
            MethodParameter parameter, Type target, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type target,
            Class<? extends HttpMessageConverter<?>> converterType) {
        String subject = subject(body);
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (subject != null && request != null) {
            request.setAttribute(SUBJECT, subject, RequestAttributes.SCOPE_REQUEST);
        }
        return body;
    }

    /** A body that is JSON's null is refused after this. */
    private static @Nullable String subject(@Nullable Object body) {
        return switch (body) {
            case null -> null;
            case StreamRequest stream -> stream.name();
            case CreateTopic topic -> topic.name();
            case UpdateTopic topic -> topic.name();
            case CreateGroup group -> group.name();
            case CreateUserRequest user -> user.username();
            case UpdateUserRequest user -> user.username();
            case CreateTokenRequest token -> token.name();
            case LoginRequest login -> login.username();
            default -> null;
        };
    }

    /** Whether the request asks for a change that the audit log tells of. */
    static boolean concerns(HttpServletRequest request, Object handler) {
        return !request.getMethod().equals("GET")
                && !request.getMethod().equals("HEAD")
                && handler instanceof HandlerMethod method
                && method.getBeanType() != MessageController.class
                && method.getBeanType() != OffsetController.class
                && !request.getRequestURI().endsWith(BARRIER);
    }

    void completed(HttpServletRequest request, HttpServletResponse response, HandlerMethod handler) {
        // Wrong passwords are told by what checks them, which also bounds how often.
        if (handler.getBeanType() == LoginController.class && response.getStatus() >= FIRST_FAILURE) {
            return;
        }
        AuditLog.changed(new AuditLog.Change(
                guard.current().orElse(null),
                request.getRemoteAddr(),
                operation(handler),
                request.getMethod(),
                request.getRequestURI(),
                request.getAttribute(SUBJECT) instanceof String subject ? subject : null,
                response.getStatus(),
                RequestId.ensure(response)));
    }

    /** As the API's documentation calls it. */
    private static String operation(HandlerMethod handler) {
        Operation documented = handler.getMethodAnnotation(Operation.class);
        return documented == null || documented.operationId().isEmpty()
                ? handler.getMethod().getName()
                : documented.operationId();
    }
}
