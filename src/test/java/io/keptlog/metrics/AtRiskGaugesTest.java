// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionRef;
import io.keptlog.metrics.AtRiskGauges.Source;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtRiskGaugesTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtRiskGauges gauges = new AtRiskGauges(registry);

    private static Source source(int topic, int partition, AtRisk risk) {
        return new Source(new PartitionRef(0, topic, partition), () -> risk);
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void topicsAreTheSumOfTheirPartitionsAndAgesTheOldest() {
        gauges.show(List.of(
                source(1, 0, new AtRisk(2, 20, 500)),
                source(1, 1, new AtRisk(3, 30, 1_500)),
                source(2, 0, AtRisk.NOTHING)));
        assertThat(value("keptlog.partition.at.risk.messages", "topic", "1", "partition", "1"))
                .isEqualTo(3);
        assertThat(value("keptlog.topic.at.risk.messages", "stream", "0", "topic", "1"))
                .isEqualTo(5);
        assertThat(value("keptlog.topic.at.risk", "topic", "1")).isEqualTo(50);
        assertThat(value("keptlog.topic.at.risk.age", "topic", "1")).isEqualTo(1.5);
        assertThat(value("keptlog.topic.at.risk.messages", "topic", "2")).isZero();
        gauges.show(List.of(source(2, 0, AtRisk.NOTHING)));
        assertThat(registry.find("keptlog.topic.at.risk").tags("topic", "1").gauge())
                .isNull();
    }

    @Test
    void theirNumberIsBounded() {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < Limits.AT_RISK_GAUGES_MAX + 50; i++) {
            sources.add(source(i, 0, AtRisk.NOTHING));
        }
        gauges.show(sources);
        assertThat(registry.getMeters()).hasSize(6 * Limits.AT_RISK_GAUGES_MAX);
    }
}
