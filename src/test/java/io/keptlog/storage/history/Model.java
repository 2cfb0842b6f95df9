// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import static io.keptlog.storage.history.PartitionModel.require;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the store must hold. Lives of partitions that were deleted are kept, to know their messages if they came back. */
final class Model {
    static final int CLIENTS = 3;

    /** By incarnation. */
    private final Map<Long, PartitionModel> partitions = new TreeMap<>();

    final OffsetModel offsets = new OffsetModel();
    private Set<PartitionSpec> specs = Set.of();
    private @Nullable Set<PartitionSpec> specsPerhaps;
    private long epoch;
    private int reportsSeen;
    private long nextId = 1;
    private boolean mayLoseTail;
    /** Since the last start that wrote everything again: the page cache may have pages that are clean and not on the disk. */
    boolean syncFailed;
    /** The disk has lied: only what is served is checked, not what is missing. */
    boolean dishonest;
    /** A read failed when this process started: what it did not find may be there. */
    boolean readFailed;
    /** As {@link #readFailed}, for a start since the last time that everything was compared. */
    boolean mayReportDamage;

    int checks;

    long nextIds(int count) {
        long first = nextId;
        nextId += 16;
        require(count <= 16, () -> "batches hold at most 16 messages");
        return first;
    }

    /** A crash that takes what is not on stable storage. */
    void powerCut() {
        mayLoseTail = true;
    }

    PartitionModel partition(PartitionSpec spec) {
        return partitions.computeIfAbsent(spec.incarnation(), i -> new PartitionModel(spec));
    }

    void changing(CatalogState before, CatalogChange change) {
        specsPerhaps = new HashSet<>(Node.specs(before.apply(change)));
    }

    void changed(CatalogState after) {
        specs = new HashSet<>(Node.specs(after));
        specsPerhaps = null;
    }

    void notChanged() {
        specsPerhaps = null;
    }

    boolean exists(PartitionSpec spec) {
        return specs.contains(spec) && (specsPerhaps == null || specsPerhaps.contains(spec));
    }

    /** After a graceful stop that was clean: everything of the logs that were open is on stable storage. */
    void allPersisted() {
        for (PartitionSpec spec : specs) {
            PartitionModel partition = partition(spec);
            if (partition.known) {
                partition.persistedEnd = Math.max(partition.persistedEnd, partition.acknowledgedEnd);
            }
        }
        offsets.allPersisted();
    }

    /** Compares everything with a store that has just started. */
    void check(Node node, boolean fullDisk) {
        checks++;
        long now = node.data.epoch();
        require(now > epoch || dishonest, () -> "epoch " + now + " after " + epoch);
        epoch = now;
        boolean excused = readFailed || dishonest;
        checkCatalog(node, excused);
        List<RecoveryReport> reports = node.reports.list();
        require(reports.size() >= reportsSeen || excused, () -> reports.size() + " reports, there were " + reportsSeen);
        boolean journalDamage =
                newReports(reports).stream().anyMatch(r -> r.found() == RecoveryReport.Found.JOURNAL_DAMAGE);
        require(!journalDamage || mayReportDamage || excused, () -> "a journal is damaged: " + reports);
        boolean allOpen = true;
        for (PartitionSpec spec : Node.specs(node.catalog.state())) {
            allOpen &= checkPartition(node, spec, fullDisk, reports);
        }
        // A journal that could not be begun anew shows what was found, and nothing of it is on stable storage.
        if (node.offsets.faults().isEmpty()) {
            checkOffsets(node, journalDamage, fullDisk);
        } else {
            PartitionModel.require(excused, "the offset journal is " + node.offsets.faults());
            allOpen = false;
        }
        // A report that could not be synced is shown, and may be gone after the next crash.
        reportsSeen = node.reports.faults().isEmpty() ? reports.size() : Math.min(reportsSeen, reports.size());
        mayReportDamage = readFailed;
        if (allOpen) {
            mayLoseTail = false;
            syncFailed = false;
        }
    }

    private List<RecoveryReport> newReports(List<RecoveryReport> reports) {
        return reports.subList(Math.min(reportsSeen, reports.size()), reports.size());
    }

    private void checkCatalog(Node node, boolean excused) {
        if (excused && !node.catalog.faults().isEmpty()) {
            return;
        }
        require(node.catalog.faults().isEmpty(), () -> "the catalog is " + node.catalog.faults());
        var found = new HashSet<>(Node.specs(node.catalog.state()));
        require(
                found.equals(specs) || found.equals(specsPerhaps) || dishonest,
                () -> "the catalog has " + found + ", expected " + specs + " or " + specsPerhaps);
        specs = found;
        specsPerhaps = null;
    }

    private boolean checkPartition(Node node, PartitionSpec spec, boolean fullDisk, List<RecoveryReport> reports) {
        PartitionLog log = node.logs.find(spec.ref());
        require(log != null && log.spec().equals(spec), () -> spec + " has no log");
        LogStatus.State state = log.status().state();
        boolean refused = state == LogStatus.State.DAMAGED;
        require(
                state == LogStatus.State.OPEN
                        || (fullDisk && state == LogStatus.State.READ_ONLY)
                        || (refused && (readFailed || dishonest)),
                () -> spec + " is " + state + ": " + newReports(reports));
        require(
                !refused
                        || !node.reports.faults().isEmpty()
                        || newReports(reports).stream().anyMatch(r -> spec.ref().equals(r.partition()))
                        // What was told at an earlier start and is not resolved is not told again.
                        || told(reports, spec).anyMatch(r -> r.action() == RecoveryReport.Action.REFUSED),
                () -> spec + " is refused without a report");
        partition(spec).producersForgotten =
                told(reports, spec).anyMatch(r -> r.found() == RecoveryReport.Found.FORGOTTEN_PRODUCERS);
        require(
                readFailed
                        || mayReportDamage
                        || dishonest
                        || told(newReports(reports), spec)
                                .noneMatch(r -> r.found() == RecoveryReport.Found.FORGOTTEN_PRODUCERS),
                () -> spec + ": producers were forgotten");
        partition(spec).check(log, mayLoseTail, !dishonest);
        return state == LogStatus.State.OPEN;
    }

    /** A log that the start could not open for want of space is open now: it is compared with what must be there, before anything else. */
    void opened(Node node, PartitionLog log) {
        PartitionModel partition = partition(log.spec());
        if (partition.known) {
            return;
        }
        for (int consumer = 0; consumer < CLIENTS; consumer++) {
            long shown = node.offsets.get(log.spec(), consumer(consumer)).orElse(-1);
            offsets.shows(new OffsetModel.Key(log.spec().incarnation(), consumer), shown, partition.lowestEnd);
        }
        partition.check(log, mayLoseTail, !dishonest);
    }

    private static Stream<RecoveryReport> told(List<RecoveryReport> reports, PartitionSpec spec) {
        return reports.stream().filter(r -> spec.ref().equals(r.partition()) && r.incarnation() == spec.incarnation());
    }

    private void checkOffsets(Node node, boolean damaged, boolean fullDisk) {
        for (PartitionSpec spec : specs) {
            PartitionLog log = node.logs.find(spec.ref());
            // A catalog that could not be written may show its last change, which is then neither made nor refused.
            if (log == null || !log.spec().equals(spec) || log.status().state() != LogStatus.State.OPEN) {
                continue;
            }
            LogStatus status = log.status();
            for (int consumer = 0; consumer < CLIENTS; consumer++) {
                var key = new OffsetModel.Key(spec.incarnation(), consumer);
                long shown = node.offsets.get(spec, consumer(consumer)).orElse(-1);
                if (damaged || dishonest) {
                    offsets.accept(key, shown);
                } else {
                    offsets.check(
                            key,
                            shown,
                            mayLoseTail,
                            status.firstOffset(),
                            status.endOffset(),
                            partition(spec).lowestEndBefore,
                            fullDisk);
                }
            }
        }
    }

    static ConsumerKey consumer(int number) {
        return new ConsumerKey(ConsumerKey.Kind.CONSUMER, number);
    }

    List<PartitionSpec> specs() {
        var sorted = new ArrayList<>(specs);
        sorted.sort(java.util.Comparator.comparing(
                PartitionSpec::ref,
                java.util.Comparator.comparing(PartitionRef::topicId).thenComparing(PartitionRef::partitionId)));
        return sorted;
    }
}
