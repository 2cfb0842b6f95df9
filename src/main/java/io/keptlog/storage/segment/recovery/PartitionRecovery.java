// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.recovery.RecoveredPartition.Damage;
import io.keptlog.storage.segment.recovery.RecoveredPartition.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The only maker of an appendable log: looks at a partition's files, decides, cuts what a crash tore, refuses what is damaged. Safe for
 * any number of threads, one per partition at a time. After a kill at any point it is simply run again and comes to the same log. Never
 * throws for what it finds on disk: the state of the result says it, so one bad partition never stops the others.
 */
public final class PartitionRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionRecovery.class);

    private final FileLayer files;
    private final Path dataDir;
    private final RecoveryReports reports;
    private final CutListener cutListener;
    private final StoreObserver observer;
    private final InstantSource clock;

    public PartitionRecovery(
            FileLayer files,
            Path dataDir,
            RecoveryReports reports,
            CutListener cutListener,
            StoreObserver observer,
            InstantSource clock) {
        this.files = files;
        this.dataDir = dataDir;
        this.reports = reports;
        this.cutListener = cutListener;
        this.observer = observer;
        this.clock = clock;
    }

    /**
     * Recovers the partition that lies in its place.
     *
     * @param marker what {@link CleanMarker#take} returned at this start
     */
    public RecoveredPartition recover(PartitionSpec spec, CleanMarker marker) {
        return run(spec, marker.end(spec.ref(), spec.incarnation()), true);
    }

    /** Tries again a partition that came back READ_ONLY. Reports nothing when it comes back READ_ONLY again. */
    public RecoveredPartition retry(PartitionSpec spec) {
        return run(spec, null, false);
    }

    private RecoveredPartition run(PartitionSpec spec, @Nullable Checkpoint cleanEnd, boolean first) {
        long started = System.nanoTime();
        var paths = PartitionPaths.inPlace(dataDir, spec.ref());
        var partitionReports = new PartitionReports(reports, spec, clock);
        var indexes = new SegmentIndexes(files, paths, spec, partitionReports);
        RecoveredPartition recovered;
        try {
            Diagnosis found = new Examination(files, paths, spec, cleanEnd, indexes).run();
            recovered = act(spec, paths, found, partitionReports, first);
        } catch (RuntimeException e) {
            LOG.error("partition {} is refused: its recovery failed", spec.ref(), e);
            recovered = failed(spec, e, partitionReports);
        }
        observer.recovered(System.nanoTime() - started, recovered.bytesRead(), recovered.reports());
        return recovered;
    }

    private RecoveredPartition act(
            PartitionSpec spec,
            PartitionPaths paths,
            Diagnosis found,
            PartitionReports partitionReports,
            boolean first) {
        Diagnosis.Tail tail = found.tail();
        Diagnosis.Trouble trouble = found.damage();
        try {
            if (trouble != null) {
                LOG.error("partition {} is refused: {}", spec.ref(), trouble.reason());
                partitionReports.refused(found);
                return result(spec, State.REFUSED, damage(trouble), found, null, partitionReports);
            }
            var cut = new TailCut(files, paths, spec, new Quarantine(files, dataDir, spec), partitionReports);
            Checkpoint now = cut.apply(found, Objects.requireNonNull(tail));
            cutListener.onCut(spec, found.firstOffset(), found.end().endOffset());
            return result(spec, State.APPENDABLE, null, found, now, partitionReports);
        } catch (IOException | KeptlogException e) {
            if (trouble == null && isNoSpace(e)) {
                return readOnly(spec, found, partitionReports, first, e);
            }
            LOG.error("partition {} is refused: recovery could not go on", spec.ref(), e);
            Damage damage = trouble != null
                    ? damage(trouble)
                    : new Damage(
                            found.end().endOffset(),
                            found.end().endOffset(),
                            "Recovery could not go on: " + e.getMessage());
            if (trouble == null) {
                reportStuck(partitionReports, damage);
            }
            return result(spec, State.REFUSED, damage, found, null, partitionReports);
        }
    }

    private RecoveredPartition readOnly(
            PartitionSpec spec, Diagnosis found, PartitionReports partitionReports, boolean first, Exception full) {
        String why = full instanceof QuarantineFullException ? String.valueOf(full.getMessage()) : "The disk is full";
        String reason = why + ": recovery behind offset " + found.end().endOffset()
                + " cannot be finished yet; it is tried again.";
        LOG.atLevel(first ? Level.WARN : Level.DEBUG).log("partition {} is read-only: {}", spec.ref(), reason);
        if (first && found.tail() != null) {
            try {
                partitionReports.readOnly(found.tail(), reason);
            } catch (KeptlogException e) {
                // On a full disk the report may find no room either; the partition's state shows it.
                LOG.warn("read-only state of partition {} could not be reported", spec.ref(), e);
            }
        }
        var damage = new Damage(found.end().endOffset(), found.end().endOffset(), reason);
        return result(spec, State.READ_ONLY, damage, found, null, partitionReports);
    }

    /** Where even the report cannot be written, health and the log show it. */
    private static void reportStuck(PartitionReports partitionReports, Damage damage) {
        try {
            partitionReports.stuck(damage.fromOffset(), damage.reason());
        } catch (KeptlogException e) {
            LOG.warn("a refused partition could not be reported: {}", damage.reason(), e);
        }
    }

    private static RecoveredPartition failed(
            PartitionSpec spec, RuntimeException e, PartitionReports partitionReports) {
        Damage damage = new Damage(0, 0, "Recovery failed: " + e);
        reportStuck(partitionReports, damage);
        return new RecoveredPartition(
                spec,
                State.REFUSED,
                damage,
                List.of(),
                0,
                FrameChain.beginning(spec.incarnation()),
                EpochHistory.EMPTY,
                null,
                RecoveredProducers.nothing(),
                0,
                partitionReports.count());
    }

    private static boolean isNoSpace(Exception e) {
        return e instanceof NoSpaceException || (e instanceof KeptlogException k && k.code() == ErrorCode.NO_SPACE);
    }

    private static Damage damage(Diagnosis.Trouble trouble) {
        return new Damage(trouble.fromOffset(), Math.max(trouble.fromOffset(), trouble.toOffset()), trouble.reason());
    }

    private static RecoveredPartition result(
            PartitionSpec spec,
            State state,
            @Nullable Damage damage,
            Diagnosis found,
            @Nullable Checkpoint now,
            PartitionReports partitionReports) {
        return new RecoveredPartition(
                spec,
                state,
                damage,
                found.segments(),
                found.firstOffset(),
                found.end(),
                found.epochs(),
                now == null ? found.evidence().newest() : now,
                found.producers(),
                found.bytesRead(),
                partitionReports.count());
    }
}
