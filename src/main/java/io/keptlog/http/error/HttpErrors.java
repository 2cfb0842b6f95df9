// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;

/** Gives an HTTP status that something else than Keptlog chose (Tomcat, Spring) its code and a reason. */
final class HttpErrors {
    private HttpErrors() {}

    static ErrorCode code(int status) {
        return switch (status) {
            case 401 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.UNAUTHORIZED;
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 406 -> ErrorCode.NOT_ACCEPTABLE;
            case 408 -> ErrorCode.REQUEST_TIMEOUT;
            case 412 -> ErrorCode.PRECONDITION_FAILED;
            case 413 -> ErrorCode.PAYLOAD_TOO_LARGE;
            case 414 -> ErrorCode.URI_TOO_LONG;
            case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
            case 431 -> ErrorCode.HEADERS_TOO_LARGE;
            case 503 -> ErrorCode.SERVER_BUSY;
                // Tomcat's answers to a method, an encoding or a protocol that it does not know: the client chose it.
            case 501, 505 -> ErrorCode.BAD_REQUEST;
            default -> status >= 500 ? ErrorCode.INTERNAL_ERROR : ErrorCode.BAD_REQUEST;
        };
    }

    static KeptlogException of(int status) {
        ErrorCode code = code(status);
        return new KeptlogException(
                code,
                switch (code) {
                    case NOT_FOUND -> "There is nothing at this path.";
                    case METHOD_NOT_ALLOWED -> "This path does not take this method; the Allow header lists those it takes.";
                    case NOT_ACCEPTABLE -> "This path has no representation that the Accept header allows.";
                    case REQUEST_TIMEOUT -> "The request did not arrive in time.";
                    case PAYLOAD_TOO_LARGE -> "The request body is too large.";
                    case URI_TOO_LONG -> "The request line is too long.";
                    case HEADERS_TOO_LARGE -> "The request line and headers are too large.";
                    case UNSUPPORTED_MEDIA_TYPE -> "This path does not take this content type; the Accept header lists those it takes.";
                    case SERVER_BUSY -> "The server cannot take this request now.";
                    case INTERNAL_ERROR -> "The server failed; its log says why.";
                    default -> "The request is not valid HTTP or not valid here.";
                });
    }
}
