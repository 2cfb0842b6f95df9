// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * JSON is UTF-8 and nothing else: the parser would take overlong forms, by which two spellings become one name, and guess other
 * encodings. Bodies here are small, the edge bounds them; those of produce have a parser of their own.
 */
@RestControllerAdvice
class Utf8Bodies extends RequestBodyAdviceAdapter {
    @Override
    public boolean supports(
            MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType)
            throws IOException {
        byte[] body = message.getBody().readAllBytes();
        try {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
        } catch (CharacterCodingException e) {
            throw new KeptlogException(ErrorCode.INVALID_FORMAT, "The body is not valid UTF-8.");
        }
        return new Read(message.getHeaders(), body);
    }

    /** A body that was read already. */
    private record Read(HttpHeaders headers, byte[] body) implements HttpInputMessage {
        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return new ByteArrayInputStream(body);
        }
    }
}
