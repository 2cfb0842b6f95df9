// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.StoreObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Meters of a store. Every meter is made in the constructor, so that its name exists before its first event. Safe for any number of threads. */
public final class StoreMeters implements StoreObserver {
    private static final double MILLIS_PER_SECOND = 1000;

    private final MeterRegistry registry;
    private final Map<SyncReason, Timer> synced = new EnumMap<>(SyncReason.class);
    private final Map<SyncReason, Timer> failed = new EnumMap<>(SyncReason.class);
    private final DistributionSummary group;
    private final Counter fenced;
    private final Counter sealed;
    private final Counter noSpace;
    private final Timer recovery;
    private final Counter recoveryRead;
    private final Counter recoveryReports;
    private final Counter scrubbed;
    private final Counter scrubDamage;

    public StoreMeters(MeterRegistry registry) {
        this.registry = registry;
        for (SyncReason reason : SyncReason.values()) {
            synced.put(reason, sync(reason, "ok"));
            failed.put(reason, sync(reason, "failed"));
        }
        group = DistributionSummary.builder(MeterNames.SYNC_GROUP)
                .description("Writers released by one sync")
                .register(registry);
        fenced = counter(MeterNames.FENCED, "Partitions and journals fenced since the start");
        sealed = counter(MeterNames.SEGMENTS_SEALED, "Segments sealed");
        noSpace = counter(MeterNames.NO_SPACE, "Writes refused by a full disk");
        recovery = Timer.builder(MeterNames.RECOVERY)
                .description("Recovery of one partition")
                .register(registry);
        recoveryRead = Counter.builder(MeterNames.RECOVERY_READ)
                .baseUnit(MeterNames.UNIT_BYTES)
                .description("Bytes read by recovery")
                .register(registry);
        scrubbed = Counter.builder(MeterNames.SCRUBBED)
                .baseUnit(MeterNames.UNIT_BYTES)
                .description("Bytes of sealed segments that were read again in the background")
                .register(registry);
        scrubDamage = counter(MeterNames.SCRUB_DAMAGE, "Sealed segments found damaged by it");
        recoveryReports = counter(MeterNames.RECOVERY_REPORTS, "Recovery reports made since the start");
    }

    private Timer sync(SyncReason reason, String outcome) {
        return Timer.builder(MeterNames.SYNC)
                .tag(MeterNames.TAG_REASON, reason.name().toLowerCase(Locale.ROOT))
                .tag(MeterNames.TAG_OUTCOME, outcome)
                .description("Syncs of logs and journals")
                .publishPercentileHistogram()
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** Gauges that ask when they are read. */
    public void watch(Supplier<AtRisk> atRisk, IntSupplier partitions, IntSupplier faults) {
        Gauge.builder(MeterNames.AT_RISK_MESSAGES, () -> atRisk.get().messages())
                .description("Messages that a power cut could take now")
                .register(registry);
        Gauge.builder(MeterNames.AT_RISK_BYTES, () -> atRisk.get().bytes())
                .baseUnit(MeterNames.UNIT_BYTES)
                .description("Bytes that a power cut could take now")
                .register(registry);
        Gauge.builder(MeterNames.AT_RISK_AGE, () -> atRisk.get().ageMillis() / MILLIS_PER_SECOND)
                .baseUnit(MeterNames.UNIT_SECONDS)
                .description("Age of the oldest message that a power cut could take now")
                .register(registry);
        Gauge.builder(MeterNames.PARTITIONS, partitions::getAsInt)
                .description("Open partitions")
                .register(registry);
        Gauge.builder(MeterNames.FAULTS, faults::getAsInt)
                .description("What does not work until somebody acts")
                .register(registry);
    }

    /** Gauges of what recovery has left and of the disk; the suppliers answer at once. */
    public void watchRecovery(
            IntSupplier openReports, LongSupplier quarantineBytes, DoubleSupplier diskSyncSeconds, IntSupplier doubts) {
        Gauge.builder(MeterNames.OPEN_REPORTS, openReports::getAsInt)
                .description("Recovery reports that nobody has resolved")
                .register(registry);
        Gauge.builder(MeterNames.QUARANTINE, quarantineBytes::getAsLong)
                .baseUnit(MeterNames.UNIT_BYTES)
                .description("Bytes that recovery has put aside")
                .register(registry);
        Gauge.builder(MeterNames.DISK_SYNC, diskSyncSeconds::getAsDouble)
                .baseUnit(MeterNames.UNIT_SECONDS)
                .description("Median of a small write and its sync when the disk was last tried")
                .register(registry);
        Gauge.builder(MeterNames.DISK_DOUBTS, doubts::getAsInt)
                .description("Reasons to doubt what the disk calls synced")
                .register(registry);
    }

    @Override
    public void scrubbed(long bytes) {
        scrubbed.increment((double) bytes);
    }

    @Override
    public void scrubDamage() {
        scrubDamage.increment();
    }

    @Override
    public void synced(SyncReason reason, long nanos, int waitersReleased, boolean failure) {
        Timer timer = failure ? failed.get(reason) : synced.get(reason);
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
        if (waitersReleased > 0) {
            group.record(waitersReleased);
        }
    }

    @Override
    public void fenced(String component) {
        fenced.increment();
    }

    @Override
    public void rolled() {
        sealed.increment();
    }

    @Override
    public void noSpace() {
        noSpace.increment();
    }

    @Override
    public void recovered(long nanos, long bytesRead, int reports) {
        recovery.record(nanos, TimeUnit.NANOSECONDS);
        recoveryRead.increment((double) bytesRead);
        recoveryReports.increment(reports);
    }
}
