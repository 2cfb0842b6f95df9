// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.Test;

/** A connector that is paused between two steps of one request cannot be had at will; so the valve alone. */
class JsonErrorValveTest {
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final AbstractProtocol<?> protocol = mock(AbstractProtocol.class);
    private final Request request = mock(Request.class);
    private final Response response = mock(Response.class);

    private String report(int status) throws IOException {
        Connector connector = mock(Connector.class);
        when(request.getConnector()).thenReturn(connector);
        when(connector.getProtocolHandler()).thenReturn(protocol);
        when(response.getStatus()).thenReturn(status);
        when(response.setErrorReported()).thenReturn(true);
        when(response.getOutputStream()).thenReturn(new ServletOutputStream() {
            @Override
            public void write(int b) {
                told.write(b);
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }
        });
        new JsonErrorValve().report(request, response, null);
        return told.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whileTheConnectorIsPausedARequestIsToldThatTheServerStopsAndNotThatItIsBad() throws IOException {
        when(protocol.isPaused()).thenReturn(true);
        assertThat(report(400)).contains("shutting down");
        verify(response).setStatus(503);
        verify(response).setHeader("Retry-After", "1");
    }

    @Test
    void otherwiseABadRequestIsBad() throws IOException {
        assertThat(report(400)).contains("\"bad_request\"");
        verify(response, never()).setStatus(503);
    }
}
