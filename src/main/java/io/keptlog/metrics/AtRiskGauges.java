// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionRef;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What a power cut could take now, by topic and by partition: tagged with ids, the first {@link Limits#AT_RISK_GAUGES_MAX} of each. Values
 * are asked for when they are scraped; which there are is told by {@link #show}. One thread tells.
 */
public final class AtRiskGauges {
    private static final double MILLIS_PER_SECOND = 1000;
    private static final Comparator<Source> ORDER = Comparator.comparingInt(
                    (Source s) -> s.ref().streamId())
            .thenComparingInt(s -> s.ref().topicId())
            .thenComparingInt(s -> s.ref().partitionId());

    private final Trio topics;
    private final Trio partitions;

    /** A partition and how to ask it. */
    public record Source(PartitionRef ref, Supplier<AtRisk> atRisk) {}

    private record Topic(int streamId, int topicId) {}

    /** Messages, bytes, age. */
    private record Trio(MultiGauge messages, MultiGauge bytes, MultiGauge age) {
        void show(Map<Tags, Supplier<AtRisk>> rows) {
            messages.register(rows(rows, AtRisk::messages), true);
            bytes.register(rows(rows, AtRisk::bytes), true);
            age.register(rows(rows, risk -> risk.ageMillis() / MILLIS_PER_SECOND), true);
        }

        private static Iterable<Row<?>> rows(Map<Tags, Supplier<AtRisk>> sources, ToDoubleFunction<AtRisk> value) {
            List<Row<?>> rows = new ArrayList<>(sources.size());
            sources.forEach((tags, source) -> rows.add(Row.of(tags, source, s -> value.applyAsDouble(s.get()))));
            return rows;
        }
    }

    public AtRiskGauges(MeterRegistry registry) {
        this.topics = new Trio(
                gauge(
                        MeterNames.TOPIC_AT_RISK_MESSAGES,
                        "",
                        "Messages of a topic that a power cut could take now",
                        registry),
                gauge(
                        MeterNames.TOPIC_AT_RISK_BYTES,
                        MeterNames.UNIT_BYTES,
                        "Bytes of a topic that a power cut could take now",
                        registry),
                gauge(
                        MeterNames.TOPIC_AT_RISK_AGE,
                        MeterNames.UNIT_SECONDS,
                        "Age of a topic's oldest message that a power cut could take now",
                        registry));
        this.partitions = new Trio(
                gauge(
                        MeterNames.PARTITION_AT_RISK_MESSAGES,
                        "",
                        "Messages of a partition that a power cut could take now",
                        registry),
                gauge(
                        MeterNames.PARTITION_AT_RISK_BYTES,
                        MeterNames.UNIT_BYTES,
                        "Bytes of a partition that a power cut could take now",
                        registry),
                gauge(
                        MeterNames.PARTITION_AT_RISK_AGE,
                        MeterNames.UNIT_SECONDS,
                        "Age of a partition's oldest message that a power cut could take now",
                        registry));
    }

    private static MultiGauge gauge(String name, String unit, String description, MeterRegistry registry) {
        MultiGauge.Builder builder = MultiGauge.builder(name).description(description);
        return (unit.isEmpty() ? builder : builder.baseUnit(unit)).register(registry);
    }

    /** From now on these; what is no longer among them is gone. */
    public void show(Collection<Source> sources) {
        Map<Topic, List<Supplier<AtRisk>>> byTopic = new LinkedHashMap<>();
        Map<Tags, Supplier<AtRisk>> byPartition = new LinkedHashMap<>();
        sources.stream().sorted(ORDER).forEach(source -> {
            PartitionRef ref = source.ref();
            byTopic.computeIfAbsent(new Topic(ref.streamId(), ref.topicId()), t -> new ArrayList<>())
                    .add(source.atRisk());
            if (byPartition.size() < Limits.AT_RISK_GAUGES_MAX) {
                byPartition.put(
                        tags(ref.streamId(), ref.topicId())
                                .and(MeterNames.TAG_PARTITION, Integer.toString(ref.partitionId())),
                        source.atRisk());
            }
        });
        Map<Tags, Supplier<AtRisk>> topicRows = new LinkedHashMap<>();
        byTopic.entrySet().stream()
                .limit(Limits.AT_RISK_GAUGES_MAX)
                .forEach(one -> topicRows.put(
                        tags(one.getKey().streamId(), one.getKey().topicId()), () -> sum(one.getValue())));
        topics.show(topicRows);
        partitions.show(byPartition);
    }

    private static Tags tags(int streamId, int topicId) {
        return Tags.of(
                MeterNames.TAG_STREAM, Integer.toString(streamId), MeterNames.TAG_TOPIC, Integer.toString(topicId));
    }

    private static AtRisk sum(List<Supplier<AtRisk>> partitions) {
        AtRisk sum = AtRisk.NOTHING;
        for (Supplier<AtRisk> one : partitions) {
            sum = sum.plus(one.get());
        }
        return sum;
    }
}
