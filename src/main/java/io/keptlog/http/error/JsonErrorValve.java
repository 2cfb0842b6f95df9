// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;

/**
 * What Tomcat refuses by itself (a bad request line, headers that are too large …) gets the same JSON body as everything else. When its
 * connector is paused, which is how a graceful stop begins, while it reads a request, Tomcat leaves the headers unread and calls the request a
 * bad one for the lack of them: it is told that the server stops.
 */
public class JsonErrorValve extends ErrorReportValve {
    private static final int RETRY_SECONDS = 1;

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            KeptlogException error = isPaused(request) ? stopping(response) : HttpErrors.of(status);
            byte[] body = ErrorBody.of(error).toJson();
            response.setStatus(ErrorStatus.of(error.code()));
            response.setContentType(ErrorBody.CONTENT_TYPE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("The error could not be told to the client.", e);
        }
    }

    private static boolean isPaused(Request request) {
        return request.getConnector().getProtocolHandler() instanceof AbstractProtocol<?> protocol
                && protocol.isPaused();
    }

    private static KeptlogException stopping(Response response) {
        response.setHeader("Retry-After", Integer.toString(RETRY_SECONDS));
        return KeptlogException.retryable(ErrorCode.SHUTTING_DOWN, "The server is shutting down.", RETRY_SECONDS);
    }
}
