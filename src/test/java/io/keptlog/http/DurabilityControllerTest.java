// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.RecoveryReports;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class DurabilityControllerTest {
    private final Api root;
    private final Fixture fixture;
    private final RecoveryReports reports;

    @Autowired
    DurabilityControllerTest(MockMvc mvc, RecoveryReports reports) {
        this.reports = reports;
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
    void theWholeServerSaysWhatItsDiskCanBeBelievedAndWhatIsAtRisk() {
        JsonNode now = root.get("/durability").expect(200).json();
        assertThat(now.propertyNames())
                .containsExactlyInAnyOrder(
                        "disk", "at_risk", "partitions", "faults", "open_reports", "quarantine_bytes");
        assertThat(now.at("/disk/verdict").asString()).isIn("plausible", "doubtful", "volatile");
        assertThat(now.at("/disk/file_system").asString()).isNotBlank();
        assertThat(now.at("/disk/sync/samples").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(now.at("/disk/sync/p50_micros").asDouble()).isPositive();
        assertThat(now.at("/at_risk/messages").asLong(-1)).isGreaterThanOrEqualTo(0);
        String topic = fixture.topic(1);
        assertThat(root.get(topic + "/durability").json().at("/device/verdict").asString())
                .isEqualTo(now.at("/disk/verdict").asString());
        assertThat(root.get("/actuator/health")
                        .json()
                        .at("/components/disk/details/verdict")
                        .asString())
                .isEqualTo(now.at("/disk/verdict").asString());
    }

    @Test
    void aReportIsOpenUntilSomebodyResolvesIt() {
        reports.add(new RecoveryReport(
                Instant.EPOCH,
                new PartitionRef(9, 9, 9),
                1,
                RecoveryReport.Found.TORN_TAIL,
                RecoveryReport.Action.CUT,
                4,
                5,
                -1,
                -1,
                true,
                "quarantine/of-no-partition",
                "made by a test"));
        JsonNode made = last(root.get("/recovery").expect(200).json());
        assertThat(made.path("open").asBoolean()).isTrue();
        assertThat(made.path("resolved").isNull()).isTrue();
        long id = made.path("id").asLong();
        assertThat(root.get("/actuator/health")
                        .json()
                        .at("/components/recovery/details/reports/" + id)
                        .asString())
                .contains("made by a test");
        root.post("/recovery/" + id + "/resolve?delete_quarantined=maybe", "").refused(400, 3, "invalid_command");
        root.post("/recovery/x/resolve", "").refused(400, 4, "invalid_format");
        root.post("/recovery/123456789/resolve", "").refused(404, 404, "not_found");
        JsonNode resolved = root.post("/recovery/" + id + "/resolve?delete_quarantined=true", "")
                .expect(200)
                .json();
        assertThat(resolved.path("open").asBoolean(true)).isFalse();
        assertThat(resolved.path("resolved").asString()).isNotBlank();
        assertThat(last(root.get("/recovery").json()).path("open").asBoolean(true))
                .isFalse();
        assertThat(root.get("/actuator/health")
                        .json()
                        .at("/components/recovery/details/reports/" + id)
                        .isMissingNode())
                .isTrue();
    }

    private static JsonNode last(JsonNode list) {
        return list.path(list.size() - 1);
    }

    @Test
    void aPollThatRemembersItsEpochIsServedAsEverWhenNothingWasCut() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a", "b");
        long epoch = root.get(topic + "/messages?value=0")
                .expect(200)
                .json()
                .path("epoch")
                .asLong();
        JsonNode polled = root.get(topic + "/messages?value=1&visibility=topic&epoch=" + epoch)
                .expect(200)
                .json();
        assertThat(polled.path("count").asInt()).isEqualTo(1);
        assertThat(polled.path("gap").isMissingNode()).isTrue();
        JsonNode cut = root.get(topic + "/messages?value=7&epoch=0").expect(200).json();
        assertThat(cut.at("/gap/reason").asString()).isEqualTo("recovery");
        root.get(topic + "/messages?value=1&epoch=-1").refused(400, 4, "invalid_format");
    }

    @Test
    void aServerThatFoundNothingReportsNothing() {
        assertThat(root.get("/recovery").expect(200).json().isArray()).isTrue();
    }
}
