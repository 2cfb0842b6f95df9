// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Fault;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.Removal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** All logs of a test, in memory. Insists on the order prepare, open. */
public final class InMemoryPartitionLogs implements PartitionLogs {
    private final Map<PartitionRef, InMemoryPartitionLog> open = new ConcurrentHashMap<>();
    private final Set<PartitionSpec> prepared = new HashSet<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final List<Removal> removed = new CopyOnWriteArrayList<>();
    private final List<PartitionSpec> discarded = new CopyOnWriteArrayList<>();
    private final LongSupplier nowMicros;
    private volatile Runnable beforeOpen = () -> {};

    public InMemoryPartitionLogs(LongSupplier nowMicros) {
        this.nowMicros = nowMicros;
    }

    /** Runs before each open, outside of any lock: a test can look at the moment between the catalog's record and the open log. */
    public void beforeOpen(Runnable action) {
        beforeOpen = action;
    }

    @Override
    public void prepare(List<PartitionSpec> specs) {
        synchronized (prepared) {
            prepared.addAll(specs);
        }
    }

    @Override
    public void open(List<PartitionSpec> specs) {
        beforeOpen.run();
        for (PartitionSpec spec : specs) {
            synchronized (prepared) {
                if (!prepared.remove(spec)) {
                    throw new IllegalStateException("not prepared: " + spec);
                }
            }
            InMemoryPartitionLog former = open.put(spec.ref(), new InMemoryPartitionLog(spec, nowMicros));
            if (former != null) {
                former.close();
            }
        }
    }

    @Override
    public void discard(List<PartitionSpec> specs) {
        synchronized (prepared) {
            specs.forEach(prepared::remove);
        }
        discarded.addAll(specs);
    }

    public List<PartitionSpec> discarded() {
        return discarded;
    }

    @Override
    public InMemoryPartitionLog find(PartitionRef ref) {
        return open.get(ref);
    }

    @Override
    public Collection<PartitionLog> all() {
        return List.copyOf(open.values());
    }

    @Override
    public List<Removal> remove(Collection<Removal> removals) {
        for (Removal removal : removals) {
            InMemoryPartitionLog log = open.get(removal.ref());
            if (log != null && log.spec().incarnation() == removal.incarnation()) {
                log.close();
                open.remove(removal.ref(), log);
            }
        }
        removed.addAll(removals);
        return new ArrayList<>(removals);
    }

    public List<Removal> removed() {
        return removed;
    }

    /** Makes {@link #faults} report this one. */
    public void report(Fault fault) {
        faults.add(fault);
    }

    @Override
    public List<Fault> faults() {
        return faults;
    }

    @Override
    public AtRisk atRisk() {
        return open.values().stream().map(l -> l.status().atRisk()).reduce(AtRisk.NOTHING, AtRisk::plus);
    }

    @Override
    public List<PartitionRef> drain(Deadline deadline) {
        return List.of();
    }

    @Override
    public void close() {
        open.values().forEach(InMemoryPartitionLog::close);
    }
}
