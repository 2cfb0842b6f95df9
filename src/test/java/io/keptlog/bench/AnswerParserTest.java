// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerParserTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 201 \r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 201 Created\r\nX: y\r\ncontent-length: 0\r\n\r\n",
                "HTTP/1.1 201 \r\n\r\n",
                "HTTP/1.1 201 \r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1f\r\n1234567890123456789012345678901\r\n0\r\n\r\n"
            })
    void findsTheEndOfAnAnswerHoweverItIsCutAndThenTheNextOne(String answer) throws IOException {
        byte[] bytes = answer.getBytes(StandardCharsets.US_ASCII);
        for (int step = 1; step <= bytes.length; step++) {
            AnswerParser parser = new AnswerParser(201);
            for (int repeat = 0; repeat < 3; repeat++) {
                for (int at = 0; at < bytes.length; at += step) {
                    int end = Math.min(bytes.length, at + step);
                    assertThat(parser.take(ByteBuffer.wrap(bytes, at, end - at)))
                            .as("up to " + end + " in steps of " + step)
                            .isEqualTo(end == bytes.length);
                }
            }
        }
    }

    @Test
    void anotherStatusIsAnError() {
        AnswerParser parser = new AnswerParser(201);
        ByteBuffer answer = ByteBuffer.wrap("HTTP/1.1 503 \r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> parser.take(answer)).hasMessageContaining("503");
    }
}
