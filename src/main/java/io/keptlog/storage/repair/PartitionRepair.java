// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.repair;

import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.repair.RepairPlan.Lost;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.RemovalFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Carries a plan out. The partition is written anew aside and synced; then the old directory moves to {@code quarantine/}, whole and
 * unchanged, and the new one takes its place. Only with the data directory's lock held, by one thread.
 *
 * <p>A crash before the exchange leaves the old partition; in the middle of it the new one is complete and {@link #finish} ends the
 * exchange; nothing ever makes an empty partition of it. An IOException leaves the old partition in its place.
 */
public final class PartitionRepair {
    private static final String DIRECTORY = "repair";
    private static final String READY = ".ready";

    private final FileLayer files;
    private final Path root;
    private final RecoveryReports reports;
    private final InstantSource clock;

    public PartitionRepair(FileLayer files, Path root, RecoveryReports reports, InstantSource clock) {
        this.files = files;
        this.root = root;
        this.reports = reports;
        this.clock = clock;
    }

    /**
     * @return where the old files are, relative to the data directory
     */
    public String apply(RepairPlan plan) throws IOException {
        PartitionSpec spec = plan.spec();
        Path fresh = aside(spec);
        deleteTree(fresh);
        deleteTree(ready(spec)); // Of a repair that was killed before the exchange: the old files are in their place.
        Path place = PartitionPaths.inPlace(root, spec.ref()).directory();
        makeDirectories(fresh);
        try {
            write(plan, new PartitionPaths(place), new PartitionPaths(fresh));
        } catch (IOException e) {
            deleteTree(fresh);
            throw e;
        }
        forgetCleanEnd(spec.ref());
        Path backup = backup(spec);
        String kept = relative(backup);
        report(plan, kept);
        files.rename(fresh, ready(spec));
        files.syncDirectory(parent(fresh));
        files.rename(place, backup);
        files.syncDirectory(parent(backup));
        files.syncDirectory(parent(place));
        putInPlace(spec, place);
        resolveEarlier(spec);
        return kept;
    }

    /**
     * Ends an exchange that a crash has cut in two.
     *
     * @return whether there was one
     */
    public boolean finish(PartitionSpec spec) throws IOException {
        Path place = PartitionPaths.inPlace(root, spec.ref()).directory();
        if (files.exists(place) || !files.exists(ready(spec))) {
            return false;
        }
        putInPlace(spec, place);
        resolveEarlier(spec);
        return true;
    }

    private void putInPlace(PartitionSpec spec, Path place) throws IOException {
        files.rename(ready(spec), place);
        files.syncDirectory(parent(place));
        files.syncDirectory(root.resolve(DIRECTORY));
    }

    private void write(RepairPlan plan, PartitionPaths from, PartitionPaths to) throws IOException {
        RepairWriter.Written written;
        try (var writer = new RepairWriter(files, plan, from, to, micros(clock.instant()))) {
            written = writer.write();
        }
        long incarnation = plan.spec().incarnation();
        Checkpoint before = plan.evidence();
        long sequence = before == null ? 1 : before.sequence() + 1;
        CheckpointFile.create(
                files,
                to.checkpoint(),
                new Checkpoint(
                        sequence,
                        incarnation,
                        plan.firstOffset(),
                        written.newestBase(),
                        written.newestBase(),
                        written.position(),
                        written.end(),
                        written.producers()));
        if (!written.epochs().entries().isEmpty()) {
            EpochFile.write(files, to.epochs(), incarnation, written.epochs());
        }
        Gap.Reason removal = RemovalFile.read(files, from.removal(), incarnation);
        if (removal != Gap.Reason.RETENTION) {
            RemovalFile.write(files, to.removal(), incarnation, removal);
        }
        files.syncDirectory(to.directory());
    }

    /** The mark of the last graceful stop says where the damaged log ended. */
    private void forgetCleanEnd(PartitionRef ref) throws IOException {
        CleanMarker marker = CleanMarker.read(files, root);
        if (marker.partitions().containsKey(ref)) {
            Map<PartitionRef, Checkpoint> others = new HashMap<>(marker.partitions());
            others.remove(ref);
            new CleanMarker(others).write(files, root);
        }
    }

    private void report(RepairPlan plan, String backup) {
        List<Lost> lost = plan.lost();
        String ranges = lost.stream()
                .map(one -> one.fromOffset() + " to " + one.toOffset())
                .collect(Collectors.joining(", "));
        String what = lost.isEmpty() ? "No message is lost." : "Lost: offsets " + ranges + " (ends exclusive).";
        reports.add(new RecoveryReport(
                clock.instant(),
                plan.spec().ref(),
                plan.spec().incarnation(),
                Found.INTERIOR_DAMAGE,
                Action.REPAIRED,
                lost.isEmpty() ? plan.endOffset() : lost.getFirst().fromOffset(),
                lost.isEmpty() ? plan.endOffset() : lost.getLast().toOffset(),
                -1,
                -1,
                !lost.isEmpty(),
                backup,
                "Repaired by command ("
                        + (plan.mode() == RepairPlan.Mode.CUT ? "cut at the damage" : "kept beyond the damage") + "). "
                        + what + " The next message gets offset " + plan.endOffset() + "."));
    }

    private void resolveEarlier(PartitionSpec spec) {
        for (KeptReport kept : reports.kept()) {
            boolean ofThisLife = spec.ref().equals(kept.report().partition())
                    && kept.report().incarnation() == spec.incarnation();
            if (ofThisLife && kept.isOpen() && kept.report().action() == Action.REFUSED) {
                var unused = reports.resolve(kept.id(), clock.instant());
            }
        }
    }

    private Path aside(PartitionSpec spec) {
        return root.resolve(DIRECTORY).resolve(PartitionPaths.lifeName(spec.ref(), spec.incarnation()));
    }

    private Path ready(PartitionSpec spec) {
        return root.resolve(DIRECTORY).resolve(PartitionPaths.lifeName(spec.ref(), spec.incarnation()) + READY);
    }

    private Path backup(PartitionSpec spec) throws IOException {
        Path quarantine = PartitionPaths.quarantine(root);
        makeDirectories(quarantine);
        String name = PartitionPaths.lifeName(spec.ref(), spec.incarnation()) + "-repaired-";
        int number = 1;
        while (files.exists(quarantine.resolve(name + number))) {
            number++;
        }
        return quarantine.resolve(name + number);
    }

    private void makeDirectories(Path directory) throws IOException {
        files.createDirectories(directory);
        for (Path at = directory; !at.equals(root); at = parent(at)) {
            files.syncDirectory(parent(at));
        }
    }

    private void deleteTree(Path path) throws IOException {
        if (!files.exists(path)) {
            return;
        }
        if (files.isDirectory(path)) {
            for (Path child : files.list(path)) {
                deleteTree(child);
            }
        }
        files.delete(path);
    }

    private String relative(Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent(), "a path inside the data directory");
    }

    private static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000), time.getNano() / 1_000);
    }
}
