// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class DurabilityControllerTest {
    private final Api root;
    private final Fixture fixture;

    @Autowired
    DurabilityControllerTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @Test
    void theBarrierSaysUpToWhereEverythingIsPersisted() {
        for (String level : new String[] {"replicated", "persisted"}) {
            String topic = fixture.topic(2, "{\"durability\":\"" + level + "\"}");
            fixture.send(topic, 1, "a", "b", "c");
            JsonNode reply =
                    root.post(topic + "/partitions/1/flush", "").expect(200).json();
            assertThat(reply.propertyNames())
                    .containsExactlyInAnyOrder("partition_id", "end_offset", "persisted_end_offset", "epoch");
            assertThat(reply.path("partition_id").asInt()).isEqualTo(1);
            assertThat(reply.path("end_offset").asInt()).isEqualTo(3);
            assertThat(reply.path("persisted_end_offset").asInt()).isGreaterThanOrEqualTo(3);
            root.post(topic + "/partitions/5/flush", "").refused(404, 3007, "partition_not_found");
        }
    }

    @Test
    void explainTellsEachFailureAndWhatIsAtRisk() {
        String topic = fixture.topic(1, "{\"durability\":\"persisted\"}");
        fixture.send(topic, 0, "a");
        JsonNode explained = root.get(topic + "/durability").expect(200).json();
        assertThat(explained.path("durability").asString()).isEqualTo("persisted");
        assertThat(explained.path("consumer_offset_durability").asString()).isEqualTo("replicated");
        assertThat(explained
                        .path("failures")
                        .valueStream()
                        .map(f -> f.path("failure").asString() + " "
                                + f.path("verdict").asString())
                        .toList())
                .containsExactly("process_crash kept", "power_loss kept", "device_loss lost");
        assertThat(explained.at("/failures/1/at_risk/messages").asInt(-1)).isZero();
        assertThat(explained.at("/failures/2/at_risk/messages").asInt()).isEqualTo(1);
        assertThat(explained.at("/partitions/0/state").asString()).isEqualTo("open");
        assertThat(explained.at("/partitions/0/end_offset").asInt()).isEqualTo(1);
        String replicated = fixture.topic(1);
        assertThat(root.get(replicated + "/durability")
                        .json()
                        .at("/failures/1/verdict")
                        .asString())
                .isEqualTo("may_be_lost");
        root.get("/streams/absent/topics/t/durability").refused(404, 404, "not_found");
    }

    @Test
    void aServerThatFoundNothingReportsNothing() {
        assertThat(root.get("/recovery").expect(200).json().isArray()).isTrue();
    }
}
