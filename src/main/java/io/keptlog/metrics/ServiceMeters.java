// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import io.keptlog.domain.Durability;
import io.keptlog.domain.Gap;
import io.keptlog.domain.ServiceObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Meters of the use cases. Every meter is made in the constructor. Safe for any number of threads. */
public final class ServiceMeters implements ServiceObserver {
    private static final String UNACKNOWLEDGED = "none";
    private static final double NANOS_PER_MILLI = 1e6;

    private final MeterRegistry registry;
    private final Map<Durability, Produced> produced = new EnumMap<>(Durability.class);
    private final Produced dispatched;
    private final Counter polled;
    private final Counter autoCommitFailed;
    private final Map<Gap.Reason, Counter> segmentsDeleted = new EnumMap<>(Gap.Reason.class);
    private final Map<Gap.Reason, Counter> bytesDeleted = new EnumMap<>(Gap.Reason.class);

    private volatile @Nullable DistributionSummary pulsarLatency;

    private record Produced(Timer latency, Counter messages, Counter bytes) {}

    public ServiceMeters(MeterRegistry registry) {
        this.registry = registry;
        for (Durability durability : Durability.values()) {
            produced.put(durability, produced(durability.wireName()));
        }
        dispatched = produced(UNACKNOWLEDGED);
        polled = Counter.builder(MeterNames.POLLED_MESSAGES)
                .description("Messages answered to polls")
                .register(registry);
        autoCommitFailed = Counter.builder(MeterNames.AUTO_COMMIT_FAILED)
                .description("Offsets of polls that could not be stored along the way")
                .register(registry);
        for (Gap.Reason reason : new Gap.Reason[] {Gap.Reason.RETENTION, Gap.Reason.DELETION}) {
            segmentsDeleted.put(
                    reason,
                    Counter.builder(MeterNames.SEGMENTS_DELETED)
                            .tag(MeterNames.TAG_REASON, reason.wireName())
                            .description("Segments deleted")
                            .register(registry));
            bytesDeleted.put(
                    reason,
                    Counter.builder(MeterNames.SEGMENTS_DELETED_BYTES)
                            .tag(MeterNames.TAG_REASON, reason.wireName())
                            .baseUnit(MeterNames.UNIT_BYTES)
                            .description("Bytes of segments deleted")
                            .register(registry));
        }
    }

    /** Publish latency also under Pulsar's name, in its unit and with its quantiles. */
    public void alsoUnderPulsarsName() {
        pulsarLatency = DistributionSummary.builder(MeterNames.PULSAR_PUBLISH_LATENCY)
                .description("Produce, from its append to its acknowledgement, in milliseconds, as Pulsar names it")
                .publishPercentiles(0.5, 0.95, 0.99, 0.999, 0.9999, 1.0)
                .register(registry);
    }

    /** What counts the readers that wait for messages. */
    public void liveReaders(IntSupplier count) {
        Gauge.builder(MeterNames.LIVE_READERS, count::getAsInt)
                .description("Streams of events and polls that wait")
                .register(registry);
    }

    private Produced produced(String durability) {
        return new Produced(
                Timer.builder(MeterNames.PUBLISH_LATENCY)
                        .tag(MeterNames.TAG_DURABILITY, durability)
                        .description("Produce, from its append to its acknowledgement")
                        .publishPercentileHistogram()
                        .register(registry),
                Counter.builder(MeterNames.PRODUCED_MESSAGES)
                        .tag(MeterNames.TAG_DURABILITY, durability)
                        .description("Messages produced, by the level they have reached")
                        .register(registry),
                Counter.builder(MeterNames.PRODUCED_BYTES)
                        .tag(MeterNames.TAG_DURABILITY, durability)
                        .baseUnit(MeterNames.UNIT_BYTES)
                        .description("Stored bytes of messages produced")
                        .register(registry));
    }

    @Override
    public void produced(Durability reached, int messages, long bytes, long nanos) {
        Produced meters = Objects.requireNonNull(produced.get(reached));
        meters.latency().record(nanos, TimeUnit.NANOSECONDS);
        DistributionSummary pulsar = pulsarLatency;
        if (pulsar != null) {
            pulsar.record(nanos / NANOS_PER_MILLI);
        }
        meters.messages().increment(messages);
        meters.bytes().increment((double) bytes);
    }

    @Override
    public void dispatched(int messages, long bytes) {
        dispatched.messages().increment(messages);
        dispatched.bytes().increment((double) bytes);
    }

    @Override
    public void polled(int messages) {
        polled.increment(messages);
    }

    @Override
    public void autoCommitFailed() {
        autoCommitFailed.increment();
    }

    @Override
    public void segmentsDeleted(Gap.Reason reason, int segments, long bytes) {
        Counter count = segmentsDeleted.get(reason);
        Counter size = bytesDeleted.get(reason);
        if (count != null && size != null) {
            count.increment(segments);
            size.increment((double) bytes);
        }
    }

    /** HTTP requests answered since the start, of every path and status. */
    public long httpRequests() {
        return registry.find(MeterNames.HTTP_REQUESTS).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
