// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.service.retention.RetentionService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** What message_expiry and max_topic_size take away, seen by readers. */
@ServerTest
@ExtendWith(OutputCaptureExtension.class)
class RetentionOverHttpTest {
    private static final String SMALL_SEGMENTS = "{\"segment_size\":\"1 MiB\"}";

    private final Api root;
    private final Fixture fixture;
    private final RetentionService retention;

    @Autowired
    RetentionOverHttpTest(MockMvc mvc, RetentionService retention) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
        this.retention = retention;
    }

    private void limit(String topic, String member, long value) {
        String name = root.get(topic).expect(200).json().path("name").asString();
        root.put(topic, "{\"name\":\"" + name + "\",\"" + member + "\":" + value + "}")
                .expect(204);
    }

    private int segments(String topic) {
        return root.get(topic)
                .expect(200)
                .json()
                .at("/partitions/0/segments_count")
                .asInt();
    }

    private long deleted() {
        return root.get("/actuator/prometheus")
                .expect(200)
                .body()
                .lines()
                .filter(l -> l.startsWith("keptlog_segments_deleted_total") && l.contains("retention"))
                .mapToLong(l -> (long) Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void sealedSegmentsThatAreTooOldGoAndTheReaderIsToldWhatIsMissing() {
        String topic = fixture.topic(1, SMALL_SEGMENTS);
        fixture.sealAndSync(topic, 2);
        retention.round();
        assertThat(segments(topic)).as("without a limit everything stays").isEqualTo(3);
        long before = deleted();
        limit(topic, "message_expiry", 1);
        retention.round();
        assertThat(segments(topic)).as("the active segment stays").isEqualTo(1);
        assertThat(deleted()).isEqualTo(before + 2);
        JsonNode polled = fixture.poll(topic, "kind=offset&value=0");
        assertThat(polled.at("/gap/from_offset").asInt(-1)).isZero();
        assertThat(polled.at("/gap/to_offset").asInt()).isEqualTo(2);
        assertThat(polled.at("/gap/reason").asString()).isEqualTo("retention");
        assertThat(Fixture.offsets(polled)).containsExactly(2L);
        assertThat(polled.path("current_offset").asInt()).isEqualTo(2);
        assertThat(fixture.send(topic, 0, "next")
                        .json()
                        .at("/confirmations/0/base_offset")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void eachDeletionIsToldInTheLogWithItsPlaceRangeAndReason(CapturedOutput output) {
        String topic = fixture.topic(1, SMALL_SEGMENTS);
        String partition = topic.replaceAll("/streams/(\\d+)/topics/(\\d+)", "$1/$2/0");
        fixture.sealAndSync(topic, 2);
        limit(topic, "message_expiry", 1);
        retention.round();
        assertThat(output.getOut())
                .containsPattern("INFO .*partition " + partition
                        + ": retention deleted 2 segments, offsets 0 to 1, \\d+ bytes \\(message_expiry 1 \u00b5s\\)");
        String requested = fixture.topic(1, SMALL_SEGMENTS);
        fixture.seal(requested, 1);
        root.delete(requested + "/partitions/0?segments_count=1").expect(204);
        assertThat(output.getOut())
                .containsPattern("INFO .*partition "
                        + requested.replaceAll("/streams/(\\d+)/topics/(\\d+)", "$1/$2/0")
                        + ": deletion deleted 1 segments, offsets 0 to 0, \\d+ bytes \\(on request\\)");
        String sized = fixture.topic(1, SMALL_SEGMENTS);
        fixture.sealAndSync(sized, 4);
        limit(sized, "max_topic_size", 2 << 20);
        retention.round();
        assertThat(output.getOut())
                .containsPattern("INFO .*partition "
                        + sized.replaceAll("/streams/(\\d+)/topics/(\\d+)", "$1/$2/0")
                        + ": retention deleted \\d+ segments, .*\\(max_topic_size, 2097152 bytes per partition\\)");
    }

    @Test
    void theSizeLimitKeepsTheNewestSealedSegments() {
        String topic = fixture.topic(1, SMALL_SEGMENTS);
        fixture.sealAndSync(topic, 4);
        limit(topic, "max_topic_size", 2 << 20);
        retention.round();
        assertThat(segments(topic)).isBetween(2, 4);
        JsonNode first = fixture.poll(topic, "kind=first&count=1");
        assertThat(Fixture.offsets(first).getFirst()).isPositive();
        assertThat(first.has("gap")).isFalse();
    }

    @Test
    void aSegmentThatAConsumerHasNotReadIsKept() {
        String topic = fixture.topic(1, SMALL_SEGMENTS);
        fixture.sealAndSync(topic, 3);
        root.put(topic + "/consumer-offsets", "{\"consumer_id\":\"slow\",\"offset\":0}")
                .expect(204);
        limit(topic, "message_expiry", 1);
        retention.round();
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=next&consumer_id=slow&count=1")))
                .as("what comes after the stored offset is still there")
                .containsExactly(1L);
        root.put(topic + "/consumer-offsets", "{\"consumer_id\":\"slow\",\"offset\":3}")
                .expect(204);
        retention.round();
        assertThat(segments(topic)).isEqualTo(1);
    }
}
