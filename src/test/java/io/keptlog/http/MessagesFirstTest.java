// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** What it finds in a path is what Spring's own pattern finds. */
class MessagesFirstTest {
    private static final PathPattern SPRING = PathPatternParser.defaultInstance.parse(MessageController.PATH);

    private static Map<String, String> bySpring(String path) {
        var match = SPRING.matchAndExtract(PathContainer.parsePath(path));
        return match == null ? null : match.getUriVariables();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/streams/1/topics/2/messages",
                "/streams/s/topics/t/messages",
                "/streams/messages/topics/topics/messages",
                "/streams/a%2Fb/topics/%E2%82%AC%20x/messages",
                "/streams/%252F/topics/a+b/messages",
                "/streams/%3Bx/topics/%2E%2E/messages",
                "/streams/s/topics/t/messages/",
                "/streams/s/topics/t/messages/flush/0/true",
                "/streams/s/topics/t/message",
                "/streams/s/topics/t/xmessages",
                "/streams/s/topics/messages",
                "/streams/s/topics//messages",
                "/streams//topics/t/messages",
                "/streams/topics/t/messages",
                "/streams/s/topic/t/messages",
                "/streams/s/topics/t/u/messages",
                "/streams/s/u/topics/t/messages",
                "/x/streams/s/topics/t/messages",
                "/streams/",
                "/streams/s",
                "/"
            })
    void aPathIsTakenApartAsSpringDoes(String path) {
        assertThat(MessagesFirst.variables(path)).isEqualTo(bySpring(path));
    }

    @ParameterizedTest
    @CsvSource({"/streams/a%2Fb/topics/c/messages,a/b,c", "/streams/1/topics/%F0%9F%98%80/messages,1,😀"})
    void namesAreDecodedOnce(String path, String stream, String topic) {
        assertThat(MessagesFirst.variables(path)).isEqualTo(Map.of("stream_id", stream, "topic_id", topic));
    }

    @Test
    void thePatternIsTheControllersOwn() {
        assertThat(MessageController.PATH).isEqualTo("/streams/{stream_id}/topics/{topic_id}/messages");
    }
}
