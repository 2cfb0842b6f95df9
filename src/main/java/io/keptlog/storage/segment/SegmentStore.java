// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Fault;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.recovery.PartitionRecovery;
import io.keptlog.storage.segment.recovery.RecoveredPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of one node in segment files: opens them all at the start, makes new ones, removes them, and stops in order.
 * <p>Any thread; making and removing take turns, finding and everything on a log do not wait for them.
 * <p>A crash leaves what recovery understands: partitions aside, in place or in the trash, whole or with a torn tail. A graceful stop
 * ({@link #drain}, then {@link #close}) leaves the clean marker.
 */
public final class SegmentStore implements PartitionLogs {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentStore.class);
    private static final long RETRY_READ_ONLY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final StoreEnvironment environment;
    private final SegmentStoreSettings settings;
    private final StoreParts parts;
    private final PartitionPlaces places;
    private final LogMaker maker;
    private final PartitionRecovery recovery;
    private final ConcurrentHashMap<PartitionRef, SegmentLog> logs = new ConcurrentHashMap<>();
    private final ReentrantLock changes = new ReentrantLock();
    private final StoreTicker ticker;
    /** Only the ticker. */
    private long retriedNanos = System.nanoTime();

    private volatile long epoch;
    private volatile boolean closed;
    private volatile @Nullable Map<PartitionRef, Checkpoint> cleanEnds;

    private SegmentStore(StoreEnvironment environment, SegmentStoreSettings settings) {
        this.environment = environment;
        this.settings = settings;
        this.parts = StoreParts.of(environment, settings);
        this.places = new PartitionPlaces(environment.dataDir(), environment.files());
        this.maker = new LogMaker(parts);
        this.recovery = new PartitionRecovery(
                environment.files(),
                environment.dataDir(),
                environment.reports(),
                environment.cuts(),
                environment.observer(),
                environment.clock());
        this.ticker = new StoreTicker(settings.flushAgeMillis(), environment.threads(), this::tick);
    }

    /**
     * Opens every partition of the catalog, recovers each, and takes appends when this returns. A partition that is damaged is opened for
     * reading, or not at all, and reported; it stops nothing.
     *
     * @throws IOException the data directory itself does not work
     */
    public static SegmentStore open(StoreEnvironment environment, SegmentStoreSettings settings, CatalogView catalog)
            throws IOException {
        SegmentStore store = new SegmentStore(environment, settings);
        try {
            StoreBoot boot = new StoreBoot(environment, store.places, store.recovery, settings.recoveryThreads());
            StoreBoot.Result found = boot.recover(catalog);
            store.epoch = found.epoch();
            for (var recovered : found.partitions()) {
                PartitionPaths paths = store.places.inPlace(recovered.spec().ref());
                store.logs.put(recovered.spec().ref(), store.maker.make(recovered, paths, store.epoch));
            }
            store.ticker.start();
            return store;
        } catch (Throwable e) {
            store.close();
            throw e;
        }
    }

    @Override
    public void prepare(List<PartitionSpec> specs) {
        if (specs.isEmpty()) {
            return;
        }
        changes.lock();
        try {
            for (PartitionSpec spec : specs) {
                places.makeFresh(spec, parts.nowMicros());
            }
            environment.files().syncDirectory(environment.dataDir().resolve("fresh"));
        } catch (IOException e) {
            discard(specs);
            throw maker.refused(specs, e);
        } finally {
            changes.unlock();
        }
    }

    @Override
    public void open(List<PartitionSpec> specs) {
        changes.lock();
        try {
            for (PartitionSpec spec : specs) {
                SegmentLog there = logs.get(spec.ref());
                if (there != null && there.spec().incarnation() == spec.incarnation()) {
                    continue;
                }
                if (there != null) {
                    logs.remove(spec.ref());
                    there.close(true);
                }
                PartitionPaths place = places.inPlace(spec.ref());
                if (environment.files().exists(place.directory())) {
                    places.moveToTrash(place.directory());
                }
                places.putInPlace(spec);
                logs.put(spec.ref(), maker.make(LogMaker.fresh(spec, place), place, epoch));
            }
        } catch (IOException e) {
            throw maker.refused(specs, e);
        } finally {
            changes.unlock();
        }
    }

    @Override
    public void discard(List<PartitionSpec> specs) {
        changes.lock();
        try {
            for (PartitionSpec spec : specs) {
                places.deleteTree(places.fresh(spec).directory());
            }
        } catch (IOException e) {
            LOG.warn("Prepared files of a partition were not deleted; the next start does it", e);
        } finally {
            changes.unlock();
        }
    }

    @Override
    public @Nullable PartitionLog find(PartitionRef ref) {
        return logs.get(ref);
    }

    @Override
    public Collection<PartitionLog> all() {
        return List.copyOf(logs.values());
    }

    @Override
    public List<Removal> remove(Collection<Removal> removals) {
        List<Removal> gone = new ArrayList<>();
        changes.lock();
        try {
            for (Removal removal : removals) {
                try {
                    remove(removal);
                    gone.add(removal);
                } catch (IOException e) {
                    LOG.warn("Partition {} was not removed; the next start does it", removal.ref(), e);
                }
            }
        } finally {
            changes.unlock();
        }
        return gone;
    }

    private void remove(Removal removal) throws IOException {
        SegmentLog log = logs.get(removal.ref());
        if (log != null && log.spec().incarnation() == removal.incarnation()) {
            logs.remove(removal.ref());
            log.close(true);
        }
        PartitionPaths place = places.inPlace(removal.ref());
        boolean nextLifeIsThere = logs.containsKey(removal.ref());
        if (!nextLifeIsThere && places.livesIn(place).contains(removal.incarnation())) {
            places.moveToTrash(place.directory());
        }
        places.removeEmpty(place.directory());
        places.deleteFresh(removal);
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        logs.values().forEach(log -> log.fault().ifPresent(faults::add));
        return faults;
    }

    @Override
    public AtRisk atRisk() {
        AtRisk sum = AtRisk.NOTHING;
        for (SegmentLog log : logs.values()) {
            sum = sum.plus(log.atRisk());
        }
        return sum;
    }

    @Override
    public List<PartitionRef> drain(Deadline deadline) {
        changes.lock();
        try {
            maker.drain();
        } finally {
            changes.unlock();
        }
        StoreDrain.Result result = new StoreDrain(logs.values()).drain(deadline);
        cleanEnds = result.cleanEnds();
        return result.failed();
    }

    @Override
    public void withholdCleanMark() {
        cleanEnds = null;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ticker.close();
        logs.values().forEach(log -> log.close(false));
        parts.syncs().close();
        parts.preparer().close();
        parts.coldReads().close();
        Map<PartitionRef, Checkpoint> ends = cleanEnds;
        if (ends != null) {
            try {
                new CleanMarker(ends).write(environment.files(), environment.dataDir());
            } catch (IOException e) {
                LOG.error("The clean marker was not written: the next start reads the logs from their checkpoints", e);
            }
        }
    }

    private void tick(long tickNanos) {
        long flushAgeNanos = TimeUnit.MILLISECONDS.toNanos(settings.flushAgeMillis());
        logs.values().forEach(log -> log.tick(flushAgeNanos, tickNanos));
        if (System.nanoTime() - retriedNanos >= RETRY_READ_ONLY_NANOS) {
            retriedNanos = System.nanoTime();
            retryReadOnly();
        }
    }

    /** A torn tail that found no room when it was to be put aside: tried again while the disk is full. */
    private void retryReadOnly() {
        for (SegmentLog log : logs.values()) {
            if (log.state().condition().state() == LogStatus.State.READ_ONLY) {
                parts.preparer().execute(() -> retryReadOnly(log));
            }
        }
    }

    private void retryReadOnly(SegmentLog log) {
        changes.lock();
        try {
            PartitionSpec spec = log.spec();
            if (closed || logs.get(spec.ref()) != log) {
                return;
            }
            RecoveredPartition recovered = recovery.retry(spec);
            if (recovered.state() != RecoveredPartition.State.READ_ONLY) {
                logs.put(spec.ref(), maker.make(recovered, places.inPlace(spec.ref()), epoch));
            }
        } catch (IOException e) {
            LOG.warn("Partition {} stays read-only for now", log.spec().ref(), e);
        } finally {
            changes.unlock();
        }
    }

    /** For tests. */
    MappingBudget mappings() {
        return parts.mappings();
    }
}
