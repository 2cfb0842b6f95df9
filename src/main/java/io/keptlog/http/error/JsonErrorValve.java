// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/** What Tomcat refuses by itself (a bad request line, headers that are too large …) gets the same JSON body as everything else. */
public class JsonErrorValve extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            byte[] body = ErrorBody.of(HttpErrors.of(status)).toJson();
            response.setContentType(ErrorBody.CONTENT_TYPE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("The error could not be told to the client.", e);
        }
    }
}
