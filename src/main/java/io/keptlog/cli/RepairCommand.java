// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.DataDirectoryLook;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.journal.JournalEnvironment;
import io.keptlog.storage.journal.JournalReports;
import io.keptlog.storage.journal.format.JournalLoader;
import io.keptlog.storage.journal.format.LoadedJournal;
import io.keptlog.storage.journal.record.CatalogReplay;
import io.keptlog.storage.repair.PartitionRepair;
import io.keptlog.storage.repair.RepairPlan;
import io.keptlog.storage.repair.RepairPlan.Mode;
import io.keptlog.storage.repair.RepairPlanner;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Repairs one damaged partition of a stopped server: at the price of what is damaged, never silently, and never without keeping the old
 * files. Changes nothing when it refuses or fails.
 */
@Command(
        name = "repair",
        description = "Repairs one damaged partition. The server must be stopped; the old files are kept.",
        footer = "Exit code: 0 repaired, or there was nothing to repair; 1 refused or failed, and nothing is changed.",
        mixinStandardHelpOptions = true)
public final class RepairCommand implements Callable<Integer> {
    static final int DONE = 0;
    static final int REFUSED = 1;

    private static final String NOT_REPAIRED = "Not repaired";
    /** Beside what is written: indexes, checkpoint, names. */
    private static final long SPARE_BYTES = 16L << 20;

    @Mixin
    private DataDirOption data = new DataDirOption();

    @Option(
            names = "--partition",
            required = true,
            paramLabel = "STREAM/TOPIC/PARTITION",
            description = "The ids of the partition, as health, reports and verify show them: 0/1/2")
    private String partition = "";

    @ArgGroup(multiplicity = "1")
    private How how = new How();

    /** What becomes of what lies beyond the damage. */
    static final class How {
        @Option(
                names = "--cut",
                required = true,
                description = "End the log at the damage; the offsets beyond are given to new messages.")
        private boolean cut;

        @Option(
                names = "--keep-beyond",
                required = true,
                description = "Keep every intact message beyond the damage under its offset; what is lost is a gap that"
                        + " polls report.")
        private boolean keepBeyond;

        Mode mode() {
            return keepBeyond && !cut ? Mode.KEEP_BEYOND : Mode.CUT;
        }
    }

    @Option(names = "--dry-run", description = "Say what would be done and change nothing.")
    private boolean dryRun;

    private final FileLayer files = FileLayers.system();
    private final InstantSource clock = InstantSource.system();

    @Override
    public Integer call() {
        if (!partition.matches("[0-9]{1,9}/[0-9]{1,9}/[0-9]{1,9}")) {
            return Output.refuse(NOT_REPAIRED, "--partition is three ids, as in 0/1/2", REFUSED);
        }
        List<Integer> ids =
                List.of(partition.split("/")).stream().map(Integer::valueOf).toList();
        var ref = new PartitionRef(ids.get(0), ids.get(1), ids.get(2));
        try {
            DataDirectoryLook look = DataDirectoryLook.at(files, data.directory());
            if (look.inUse()) {
                return Output.refuse(NOT_REPAIRED, look.root() + " is in use: stop the server first", REFUSED);
            }
            PartitionSpec spec = spec(look.root(), ref);
            if (spec == null) {
                return Output.refuse(
                        NOT_REPAIRED, "the catalog has no partition " + ref + ", or is damaged itself", REFUSED);
            }
            return dryRun ? plan(look.root(), spec) : repair(look.root(), spec);
        } catch (DataDirectoryException | IOException e) {
            return Output.refuse(NOT_REPAIRED, String.valueOf(e.getMessage()), REFUSED);
        }
    }

    private @Nullable PartitionSpec spec(Path root, PartitionRef ref) throws IOException {
        Path catalog = root.resolve("catalog");
        LoadedJournal loaded = JournalLoader.load(files, List.of(catalog.resolve("a"), catalog.resolve("b")));
        var replay = new CatalogReplay(loaded.earlier().isEmpty() ? loaded.frames() : loaded.earlier());
        if (loaded.condition() == LoadedJournal.Condition.DAMAGED || replay.problem() != null) {
            return null;
        }
        TopicEntry topic = replay.state().findTopic(ref.streamId(), ref.topicId());
        return topic == null
                ? null
                : topic.specs().stream()
                        .filter(spec -> spec.ref().equals(ref))
                        .findFirst()
                        .orElse(null);
    }

    private RepairPlan planned(Path root, PartitionSpec spec) throws IOException {
        var cleanEnd = CleanMarker.read(files, root).end(spec.ref(), spec.incarnation());
        return RepairPlanner.plan(files, root, spec, cleanEnd, how.mode());
    }

    private int plan(Path root, PartitionSpec spec) throws IOException {
        RepairPlan plan = planned(root, spec);
        if (plan.damage() == null) {
            System.out.println("Partition " + spec.ref() + " is not damaged.");
            return DONE;
        }
        System.out.println("Would repair partition " + spec.ref() + ": " + plan.damage());
        describe(plan);
        return DONE;
    }

    private int repair(Path root, PartitionSpec spec) throws IOException {
        var environment = new JournalEnvironment(
                Thread.ofPlatform().daemon().name("journal-", 0).factory(), clock, StoreObserver.NONE);
        try (DataDirectory held = DataDirectory.open(files, root, clock);
                JournalReports reports = JournalReports.open(held, environment)) {
            var repair = new PartitionRepair(files, held.root(), reports, clock);
            if (repair.finish(spec)) {
                System.out.println("The repair of partition " + spec.ref() + " that was cut short is finished.");
                return DONE;
            }
            RepairPlan plan = planned(held.root(), spec);
            String refusal = refusal(plan, held);
            if (refusal != null) {
                return Output.refuse(NOT_REPAIRED, refusal, REFUSED);
            }
            if (plan.damage() == null) {
                System.out.println("Partition " + spec.ref() + " is not damaged; nothing was changed.");
                return DONE;
            }
            String backup = repair.apply(plan);
            System.out.println("Repaired partition " + spec.ref() + ": " + plan.damage());
            describe(plan);
            System.out.println(
                    "The old files are in " + held.root().resolve(backup) + "; remove them when they are not needed.");
            return DONE;
        }
    }

    private @Nullable String refusal(RepairPlan plan, DataDirectory held) throws IOException {
        if (plan.damage() == null) {
            return null;
        }
        if (!files.isDirectory(
                PartitionPaths.inPlace(held.root(), plan.spec().ref()).directory())) {
            return "its files are gone: restore them from a backup, or delete the topic";
        }
        if (plan.mode() == Mode.KEEP_BEYOND && !plan.keepsBeyond()) {
            return "nothing is intact beyond the damage; --cut ends the log at offset " + plan.endOffset();
        }
        long free = files.usableBytes(held.root());
        long needed = plan.keptBytes() + SPARE_BYTES;
        return free >= needed
                ? null
                : "the repaired files need " + Output.size(needed) + " beside the old ones, " + Output.size(free)
                        + " are free";
    }

    private static void describe(RepairPlan plan) {
        System.out.println("Kept: " + plan.keptMessages() + " messages, " + Output.size(plan.keptBytes()) + ".");
        System.out.println(
                plan.lost().isEmpty()
                        ? "Lost: nothing."
                        : "Lost: offsets "
                                + plan.lost().stream()
                                        .map(lost -> lost.fromOffset() + " to " + lost.toOffset())
                                        .collect(Collectors.joining(", "))
                                + " (ends exclusive).");
        System.out.println("The next message gets offset " + plan.endOffset() + ".");
    }
}
