// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.access.Refusals;
import io.keptlog.domain.KeptlogException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** Writes an error as the whole reply, whatever the request accepts. When the reply has begun already, nothing more can be told. */
@Component
public class ErrorWriter implements Refusals {
    @Override
    public void refuse(HttpServletRequest request, HttpServletResponse response, KeptlogException error)
            throws IOException {
        RequestId.echo(request, response);
        write(response, error);
    }

    static void write(HttpServletResponse response, KeptlogException error) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        RequestId.ensure(response);
        int status = ErrorStatus.of(error.code());
        response.setStatus(status);
        response.setContentType(ErrorBody.CONTENT_TYPE);
        if (status == 401) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        if (error.retryAfterSeconds() > 0) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Integer.toString(error.retryAfterSeconds()));
        }
        byte[] body = ErrorBody.of(error).toJson();
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.flushBuffer();
    }
}
