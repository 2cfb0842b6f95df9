// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.Fault;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What does not work until somebody acts, over all stores (requirements A13). Safe for any number of threads; changes nothing. */
public final class HealthService {
    private final List<Supplier<List<Fault>>> sources;
    private final BooleanSupplier anyPartitionOpen;

    HealthService(List<Supplier<List<Fault>>> sources, BooleanSupplier anyPartitionOpen) {
        this.sources = List.copyOf(sources);
        this.anyPartitionOpen = anyPartitionOpen;
    }

    public HealthService(Catalog catalog, PartitionLogs logs, OffsetStore offsets) {
        this(List.of(catalog::faults, logs::faults, offsets::faults), () -> isAnyOpen(logs));
    }

    /** For a server without partitions. */
    public HealthService(Catalog catalog) {
        this(List.of(catalog::faults), () -> true);
    }

    public List<Fault> faults() {
        return sources.stream().map(Supplier::get).flatMap(Collection::stream).toList();
    }

    /** Whether any partition can be written; a server that has none yet counts as writable. */
    public boolean isWritable() {
        return faults().stream().noneMatch(Fault::blocksWrites) && anyPartitionOpen.getAsBoolean();
    }

    private static boolean isAnyOpen(PartitionLogs logs) {
        var all = logs.all();
        return all.isEmpty() || all.stream().anyMatch(log -> log.status().state() == LogStatus.State.OPEN);
    }
}
