// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partition directories that no catalog record names: deleted ones go to the trash, and so does what was prepared and never used;
 * everything else is put aside and reported, never deleted. At the start, by one thread. Killed at any point it does the same again.
 */
final class UnknownDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownDirectories.class);

    private final StoreEnvironment environment;
    private final PartitionPlaces places;
    private final FileLayer files;

    UnknownDirectories(StoreEnvironment environment, PartitionPlaces places) {
        this.environment = environment;
        this.places = places;
        this.files = environment.files();
    }

    void putAside(Collection<PartitionSpec> specs, Set<Removal> tombstones) throws IOException {
        Set<PartitionRef> known = new HashSet<>();
        Set<Path> fresh = new HashSet<>();
        for (PartitionSpec spec : specs) {
            known.add(spec.ref());
            fresh.add(places.fresh(spec).directory());
        }
        Path streams = environment.dataDir().resolve("streams");
        for (Path stream : directories(streams)) {
            for (Path topic : directories(stream.resolve("topics"))) {
                for (Path partition : directories(topic.resolve("partitions"))) {
                    PartitionRef ref = ref(stream, topic, partition);
                    if (ref == null || !known.contains(ref)) {
                        unknown(partition, ref, tombstones);
                    }
                }
                places.removeEmpty(topic.resolve("partitions"));
            }
            if (files.exists(stream)) {
                places.removeEmpty(stream.resolve("topics"));
            }
        }
        for (Path prepared : directories(environment.dataDir().resolve("fresh"))) {
            if (!fresh.contains(prepared)) {
                unused(prepared, tombstones);
            }
        }
    }

    private void unknown(Path partition, @Nullable PartitionRef ref, Set<Removal> tombstones) throws IOException {
        Set<Long> lives = places.livesIn(new PartitionPaths(partition));
        if (ref != null
                && !lives.isEmpty()
                && lives.stream().allMatch(life -> tombstones.contains(new Removal(ref, life)))) {
            places.moveToTrash(partition);
        } else {
            putAside(environment, places, partition, ref, "no catalog record names this partition directory");
        }
    }

    /** Prepared for a partition whose catalog record was never made, or whose partition is deleted. */
    private void unused(Path prepared, Set<Removal> tombstones) throws IOException {
        PartitionPaths paths = new PartitionPaths(prepared);
        String name = String.valueOf(prepared.getFileName());
        boolean deleted = tombstones.stream().anyMatch(one -> PartitionPaths.lifeName(one.ref(), one.incarnation())
                .equals(name));
        if (deleted || !places.holdsFrames(paths)) {
            places.moveToTrash(prepared);
        } else {
            putAside(
                    environment,
                    places,
                    prepared,
                    null,
                    "a prepared partition without a catalog record holds messages");
        }
    }

    static void putAside(
            StoreEnvironment environment,
            PartitionPlaces places,
            Path directory,
            @Nullable PartitionRef ref,
            String reason)
            throws IOException {
        String name = environment
                .dataDir()
                .relativize(directory)
                .toString()
                .replace('/', '-')
                .replace('\\', '-');
        String target = "quarantine/" + name;
        // The report first: a start that is killed in between reports it twice rather than never.
        var report = new RecoveryReport(
                environment.clock().instant(),
                ref,
                0,
                Found.UNKNOWN_DIRECTORY,
                Action.QUARANTINED,
                -1,
                -1,
                -1,
                -1,
                true,
                target,
                reason);
        try {
            if (!isReported(environment, report, target)) {
                environment.reports().add(report);
            }
            Path unused = places.moveToQuarantine(directory, name);
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.NO_SPACE) {
                throw e;
            }
            LOG.warn("{} stays where it is until there is room for the report: {}", directory, reason);
        } catch (NoSpaceException e) {
            LOG.warn("{} stays where it is until there is room to move it: {}", directory, reason);
        }
    }

    /** An earlier start told of it and then found no room to move it. */
    private static boolean isReported(StoreEnvironment environment, RecoveryReport report, String target) {
        boolean moved = environment.files().exists(environment.dataDir().resolve(target));
        return !moved
                && environment.reports().kept().stream()
                        .filter(old -> old.resolved() == null)
                        .map(KeptReport::report)
                        .anyMatch(old -> old.found() == report.found()
                                && target.equals(old.quarantineFile())
                                && report.detail().equals(old.detail()));
    }

    private List<Path> directories(Path parent) throws IOException {
        return files.isDirectory(parent)
                ? files.list(parent).stream().filter(files::isDirectory).toList()
                : List.of();
    }

    private static @Nullable PartitionRef ref(Path stream, Path topic, Path partition) {
        OptionalInt s = number(stream);
        OptionalInt t = number(topic);
        OptionalInt p = number(partition);
        return s.isPresent() && t.isPresent() && p.isPresent()
                ? new PartitionRef(s.getAsInt(), t.getAsInt(), p.getAsInt())
                : null;
    }

    private static OptionalInt number(Path directory) {
        String name = String.valueOf(directory.getFileName());
        if (name.length() > 9 || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return OptionalInt.empty();
        }
        int number = Integer.parseInt(name);
        return Integer.toString(number).equals(name) ? OptionalInt.of(number) : OptionalInt.empty();
    }
}
