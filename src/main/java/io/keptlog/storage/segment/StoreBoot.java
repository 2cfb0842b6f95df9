// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.recovery.PartitionRecovery;
import io.keptlog.storage.segment.recovery.RecoveredPartition;
import io.keptlog.storage.segment.recovery.RecoveredPartition.Damage;
import io.keptlog.storage.segment.recovery.RecoveredProducers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of the store: finds the place of each partition in the catalog, puts those in place that a crash left aside, puts aside what
 * nobody knows, and has every partition recovered, several at a time. One partition's trouble never stops the others.
 * <p>Used once, by one thread. Killed at any point it does the same again.
 */
final class StoreBoot {
    private static final Logger LOG = LoggerFactory.getLogger(StoreBoot.class);

    /** @param epoch of frames appended from now on */
    record Result(List<RecoveredPartition> partitions, long epoch) {}

    private final StoreEnvironment environment;
    private final PartitionPlaces places;
    private final PartitionRecovery recovery;
    private final int threads;

    StoreBoot(StoreEnvironment environment, PartitionPlaces places, PartitionRecovery recovery, int threads) {
        this.environment = environment;
        this.places = places;
        this.recovery = recovery;
        this.threads = threads;
    }

    Result recover(CatalogView catalog) throws IOException {
        List<PartitionSpec> specs = catalog.specs();
        CleanMarker marker = CleanMarker.take(environment.files(), environment.dataDir());
        places.makeDirectories(environment.dataDir().resolve("fresh"));
        places.emptyTrash();
        Set<Removal> tombstones = new HashSet<>(catalog.removals());
        List<RecoveredPartition> all = new ArrayList<>(specs.size());
        try (ExecutorService pool = Executors.newFixedThreadPool(threads, environment.threads())) {
            Map<PartitionSpec, Future<RecoveredPartition>> running = new LinkedHashMap<>();
            for (PartitionSpec spec : specs) {
                running.put(spec, pool.submit(() -> recover(spec, catalog, tombstones, marker)));
            }
            for (Map.Entry<PartitionSpec, Future<RecoveredPartition>> one : running.entrySet()) {
                all.add(result(one.getKey(), one.getValue()));
            }
        }
        if (catalog.complete()) {
            new UnknownDirectories(environment, places).putAside(specs, tombstones);
        } else {
            LOG.error("The catalog is damaged: directories that it does not name stay where they are");
        }
        return new Result(all, epoch(all));
    }

    private long epoch(List<RecoveredPartition> all) throws IOException {
        long highest = all.stream().mapToLong(one -> one.end().epoch()).max().orElse(0);
        long epoch = environment.epochs().epoch();
        return highest < epoch ? epoch : environment.epochs().raiseAbove(highest);
    }

    private RecoveredPartition result(PartitionSpec spec, Future<RecoveredPartition> running) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return running.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            LOG.error("Partition {} could not be recovered", spec.ref(), e.getCause());
            RecoveredPartition refused = refused(spec, "its files cannot be reached: " + e.getCause());
            environment.reports().add(report(spec));
            return refused;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private RecoveredPartition recover(
            PartitionSpec spec, CatalogView catalog, Set<Removal> tombstones, CleanMarker marker) throws IOException {
        PartitionPaths place = places.inPlace(spec.ref());
        boolean taken = environment.files().exists(place.directory());
        if (taken) {
            Set<Long> lives = places.livesIn(place);
            boolean another = !lives.isEmpty() && !lives.contains(spec.incarnation());
            if (catalog.complete() && (another || (lives.isEmpty() && places.isFresh(spec)))) {
                clear(spec.ref(), place, lives, tombstones);
                taken = false;
            }
        }
        if (!taken && places.isFresh(spec)) {
            places.putInPlace(spec);
        }
        // When there is nothing, recovery says that the partition is missing; it never becomes an empty one.
        return recovery.recover(spec, marker);
    }

    /** Another life lies where this one belongs: to the trash when it was deleted, else aside. */
    private void clear(PartitionRef ref, PartitionPaths place, Set<Long> lives, Set<Removal> tombstones)
            throws IOException {
        boolean deleted =
                !lives.isEmpty() && lives.stream().allMatch(life -> tombstones.contains(new Removal(ref, life)));
        if (deleted) {
            places.moveToTrash(place.directory());
            return;
        }
        UnknownDirectories.putAside(
                environment, places, place.directory(), ref, "another life of the partition lay in its place");
    }

    private RecoveryReport report(PartitionSpec spec) {
        return new RecoveryReport(
                environment.clock().instant(),
                spec.ref(),
                spec.incarnation(),
                Found.READ_ERROR,
                Action.REFUSED,
                -1,
                -1,
                -1,
                -1,
                true,
                null,
                "The files of the partition could not be reached.");
    }

    private RecoveredPartition refused(PartitionSpec spec, String reason) {
        return new RecoveredPartition(
                spec,
                RecoveredPartition.State.REFUSED,
                new Damage(0, 0, reason),
                List.of(),
                0,
                FrameChain.beginning(spec.incarnation()),
                EpochHistory.EMPTY,
                null,
                RecoveredProducers.nothing(),
                0,
                0);
    }
}
