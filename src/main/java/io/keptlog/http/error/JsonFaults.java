// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;

/** Says in the contract's terms what was wrong with a JSON body. Tells a position and a member, never a piece of the body. */
final class JsonFaults {
    private JsonFaults() {}

    static KeptlogException describe(HttpMessageNotReadableException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof KeptlogException known) {
                String field = known.field() == null ? field(e.getCause()) : known.field();
                return new KeptlogException(known.code(), known.reason(), field);
            }
            if (cause instanceof SocketTimeoutException) {
                return HttpErrors.of(408);
            }
        }
        Throwable cause = e.getCause();
        String field = field(cause);
        if (field != null) {
            return new KeptlogException(
                    ErrorCode.INVALID_FORMAT, "'" + field + "' has a value that cannot be used.", field);
        }
        if (cause instanceof DatabindException) {
            return new KeptlogException(
                    ErrorCode.INVALID_FORMAT, "The body is not the JSON object that this path takes.");
        }
        if (cause instanceof JacksonException fault) {
            return new KeptlogException(ErrorCode.INVALID_FORMAT, "The body is not valid JSON" + position(fault) + ".");
        }
        return new KeptlogException(
                ErrorCode.BAD_REQUEST,
                cause instanceof IOException ? "The body ended too early." : "The body is missing or cannot be read.");
    }

    private static String position(JacksonException fault) {
        var at = fault.getLocation();
        return at == null || at.getLineNr() < 0
                ? ""
                : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }

    private static @Nullable String field(@Nullable Throwable fault) {
        if (!(fault instanceof DatabindException bind) || bind.getPath().isEmpty()) {
            return null;
        }
        String path = bind.getPath().stream()
                .map(r -> r.getPropertyName() == null ? "[" + r.getIndex() + "]" : "." + r.getPropertyName())
                .collect(Collectors.joining());
        return path.startsWith(".") ? path.substring(1) : path;
    }
}
