// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.SnakeCase;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Path;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.validation.FieldError;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/**
 * The one place that turns exceptions into error replies. A client's fault is never a 5xx; what nobody expected is logged and answered
 * with 500 and no detail.
 */
@RestControllerAdvice
class ErrorAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorAdvice.class);

    @ExceptionHandler
    void keptlog(KeptlogException e, HttpServletResponse response) throws IOException {
        if (e.code() == ErrorCode.INTERNAL_ERROR) {
            LOG.error("Request {} failed: {}", RequestId.ensure(response), e.reason(), e);
        }
        ErrorWriter.write(response, e);
    }

    @ExceptionHandler
    void invalidBody(MethodArgumentNotValidException e, HttpServletResponse response) throws IOException {
        FieldError field = e.getFieldError();
        ErrorWriter.write(
                response,
                field == null
                        ? HttpErrors.of(400)
                        : invalid(SnakeCase.of(field.getField()), String.valueOf(field.getDefaultMessage())));
    }

    @ExceptionHandler
    void invalidParameter(HandlerMethodValidationException e, HttpServletResponse response) throws IOException {
        var failed = e.getParameterValidationResults().getFirst();
        String name = failed.getMethodParameter().getParameterName();
        String message = failed.getResolvableErrors().getFirst().getDefaultMessage();
        ErrorWriter.write(response, invalid(SnakeCase.of(String.valueOf(name)), String.valueOf(message)));
    }

    @ExceptionHandler
    void violated(ConstraintViolationException e, HttpServletResponse response) throws IOException {
        ConstraintViolation<?> first = e.getConstraintViolations().iterator().next();
        String field = "";
        for (Path.Node node : first.getPropertyPath()) {
            field = String.valueOf(node.getName());
        }
        ErrorWriter.write(response, invalid(SnakeCase.of(field), first.getMessage()));
    }

    @ExceptionHandler
    void unreadable(HttpMessageNotReadableException e, HttpServletResponse response) throws IOException {
        KeptlogException known = JsonFaults.describe(e);
        ErrorWriter.write(response, known);
    }

    @ExceptionHandler
    void mismatch(MethodArgumentTypeMismatchException e, HttpServletResponse response) throws IOException {
        if (e.getCause() != null && e.getCause().getCause() instanceof KeptlogException known) {
            keptlog(known, response);
            return;
        }
        ErrorWriter.write(
                response,
                new KeptlogException(
                        ErrorCode.INVALID_FORMAT,
                        "'" + e.getName() + "' has a value that cannot be used.",
                        e.getName()));
    }

    @ExceptionHandler
    void missing(MissingRequestValueException e, HttpServletResponse response) throws IOException {
        String name = e instanceof MissingServletRequestParameterException p ? p.getParameterName() : null;
        ErrorWriter.write(
                response,
                new KeptlogException(
                        ErrorCode.BAD_REQUEST,
                        name == null ? "Something this path needs is missing." : "'" + name + "' is missing.",
                        name));
    }

    @ExceptionHandler
    void rejected(RequestRejectedException e, HttpServletResponse response) throws IOException {
        ErrorWriter.write(response, HttpErrors.of(400));
    }

    /** Tomcat reads parameters only when they are asked for, and refuses the whole query then. */
    @ExceptionHandler
    void unreadableQuery(InvalidParameterException e, HttpServletResponse response) throws IOException {
        ErrorWriter.write(
                response,
                new KeptlogException(
                        ErrorCode.BAD_REQUEST,
                        "The query cannot be read: a parameter is not percent-encoded UTF-8, or there are too many."));
    }

    /** The client is gone: nobody is left to answer. */
    @ExceptionHandler({ClientAbortException.class, AsyncRequestNotUsableException.class})
    void gone(IOException e) {
        LOG.debug("The client went away: {}", e.getMessage());
    }

    @ExceptionHandler({SocketTimeoutException.class, EOFException.class})
    void cut(IOException e, HttpServletResponse response) throws IOException {
        int status = e instanceof SocketTimeoutException ? 408 : 400;
        response.setHeader("Connection", "close");
        ErrorWriter.write(response, HttpErrors.of(status));
    }

    /** What was sent, and what is taken: curl's -d sends a form unless it is told otherwise. */
    @ExceptionHandler
    void contentType(HttpMediaTypeNotSupportedException e, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        RequestId.echo(request, response);
        e.getHeaders().forEach((name, values) -> values.forEach(v -> response.addHeader(name, v)));
        String taken = MediaType.toString(e.getSupportedMediaTypes());
        ErrorWriter.write(
                response,
                new KeptlogException(
                        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                        "This path does not take "
                                + (e.getContentType() == null ? "a body without a content type" : "this content type")
                                + (taken.isEmpty() ? "." : "; send Content-Type: " + taken + ".")));
    }

    /** Everything of Spring that knows its status (404, 405, 406, 415 …), and what nobody expected. */
    @ExceptionHandler
    void other(Exception e, HttpServletRequest request, HttpServletResponse response) throws IOException {
        RequestId.echo(request, response);
        int status = 500;
        if (e instanceof ErrorResponse known) {
            status = known.getStatusCode().value();
            known.getHeaders().forEach((name, values) -> values.forEach(v -> response.addHeader(name, v)));
        }
        if (status >= 500) {
            LOG.error("{} request {} failed unexpectedly.", request.getMethod(), RequestId.ensure(response), e);
        }
        ErrorWriter.write(response, HttpErrors.of(status));
    }

    private static KeptlogException invalid(String field, String message) {
        return new KeptlogException(ErrorCode.BAD_REQUEST, "'" + field + "' " + message + ".", field);
    }
}
