// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.PartitionLogs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Brings partitions to life: files prepared, catalog record durable, logs open, then the reply. A crash between any two steps leaves
 * either nothing or a partition that the next start opens. When the catalog refuses, what was prepared is thrown away; when its outcome
 * is unknown, it stays for the next start to decide. Safe for any number of threads; the catalog makes one change after the other.
 */
public final class PartitionMaker {
    private final Catalog catalog;
    private final PartitionLogs logs;
    private final OpenLogs openLogs;
    private final RandomGenerator random;

    public PartitionMaker(Catalog catalog, PartitionLogs logs, OpenLogs openLogs, RandomGenerator random) {
        this.catalog = catalog;
        this.logs = logs;
        this.openLogs = openLogs;
        this.random = random;
    }

    /** A change together with the partitions that begin to live through it. */
    record Birth<C extends CatalogChange>(C change, List<PartitionSpec> specs) {}

    /** The partitions of the latest decision, for the steps after it; all on one thread. */
    private static final class Born {
        private List<PartitionSpec> specs = List.of();
    }

    /**
     * @param decide pure; throws KeptlogException to refuse
     * @return the change that was made; its logs are open
     */
    <C extends CatalogChange> C make(Function<CatalogState, Birth<C>> decide) {
        var born = new Born();
        try {
            C change = catalog.change(
                    state -> {
                        Birth<C> birth = decide.apply(state);
                        born.specs = birth.specs();
                        return birth.change();
                    },
                    ignored -> {
                        openLogs.announce(born.specs);
                        logs.prepare(born.specs);
                    });
            logs.open(born.specs);
            return change;
        } catch (KeptlogException e) {
            if (e.code() == ErrorCode.CATALOG_FENCED || e.code() == ErrorCode.NO_SPACE) {
                logs.discard(born.specs);
            }
            throw e;
        } finally {
            openLogs.settled(born.specs);
        }
    }

    /** New lives for {@code count} partition numbers from {@code firstId} on. */
    List<PartitionEntry> entries(int firstId, int count, long nowMicros) {
        var entries = new ArrayList<PartitionEntry>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new PartitionEntry(firstId + i, nowMicros, incarnation()));
        }
        return entries;
    }

    /** Random, so that no life is taken for another one; 0 means "unknown" in reports. */
    private long incarnation() {
        long value = random.nextLong();
        while (value == 0) {
            value = random.nextLong();
        }
        return value;
    }
}
