// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.DamagedLog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.StoreNode;
import io.keptlog.storage.TestBatches.Read;
import io.keptlog.storage.check.CheckProgress;
import io.keptlog.storage.check.DataCheck;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.journal.JournalEnvironment;
import io.keptlog.storage.journal.JournalReports;
import io.keptlog.storage.repair.RepairPlan.Lost;
import io.keptlog.storage.repair.RepairPlan.Mode;
import io.keptlog.storage.segment.format.CleanMarker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random damage, repaired in both ways, also when the repair itself is killed, on the simulated machine. */
class PartitionRepairTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final int HISTORIES = 25;

    private SimulatedFiles machine;
    private PartitionSpec spec;
    private List<Read> appended;

    private void history(long seed, Random random, boolean graceful) throws IOException {
        machine = new SimulatedFiles(seed);
        StoreNode node = new StoreNode(machine, DATA);
        PartitionLog log = node.create(random.nextBoolean() ? Durability.PERSISTED : Durability.REPLICATED, random);
        spec = log.spec();
        appended = StoreNode.append(log, 20 + random.nextInt(40), random);
        StoreNode.persist(log);
        if (graceful) {
            node.stop();
        } else {
            node.close();
        }
        machine = machine.processKill();
    }

    private void damage(Random random) throws IOException {
        DamagedLog files = new DamagedLog(machine, DATA, spec);
        int damages = 1 + random.nextInt(3);
        for (int i = 0; i < damages; i++) {
            List<Path> segments = files.segments();
            Path segment = segments.get(random.nextInt(segments.size()));
            if (random.nextInt(4) == 0 && segments.size() > 2) {
                files.delete(segment);
            } else {
                files.flip(segment, random);
            }
        }
    }

    private RepairPlan plan(FileLayer files, Mode mode) throws IOException {
        var clean = CleanMarker.read(files, DATA).end(spec.ref(), spec.incarnation());
        return RepairPlanner.plan(files, DATA, spec, clean, mode);
    }

    /** As the command does it. */
    private RepairPlan repair(FileLayer files, Mode mode) throws IOException {
        InstantSource clock = InstantSource.system();
        var journals = new JournalEnvironment(Thread.ofPlatform().daemon().factory(), clock, StoreObserver.NONE);
        try (DataDirectory held = DataDirectory.open(files, DATA, clock);
                JournalReports reports = JournalReports.open(held, journals)) {
            var repair = new PartitionRepair(files, held.root(), reports, clock);
            if (repair.finish(spec)) {
                return plan(files, mode);
            }
            RepairPlan plan = plan(files, mode);
            if (plan.damage() != null) {
                var unused = repair.apply(plan);
            }
            return plan;
        }
    }

    private void servesWhatWasKept(RepairPlan plan, Random random, String seed) throws IOException {
        assertThat(DataCheck.run(machine, DATA, CheckProgress.NONE).findings())
                .as(seed)
                .isEmpty();
        List<Gap> gaps = new ArrayList<>();
        List<Read> kept = new ArrayList<>(appended.stream()
                .filter(m -> m.offset() < plan.endOffset()
                        && plan.lost().stream()
                                .noneMatch(l -> l.fromOffset() <= m.offset() && m.offset() < l.toOffset()))
                .toList());
        for (int start = 1; start <= 2; start++) {
            try (StoreNode node = new StoreNode(machine, DATA)) {
                PartitionLog log = node.store.find(spec.ref());
                assertThat(log.status().state()).as(seed).isEqualTo(LogStatus.State.OPEN);
                gaps.clear();
                assertThat(StoreNode.readAll(log, gaps)).as(seed).isEqualTo(kept);
                assertThat(gaps)
                        .as(seed)
                        .isEqualTo(plan.lost().stream()
                                .filter(l -> l.toOffset() <= plan.endOffset())
                                .map(l -> new Gap(l.fromOffset(), l.toOffset(), Gap.Reason.DAMAGE))
                                .toList());
                assertThat(log.status().endOffset())
                        .as(seed)
                        .isEqualTo(
                                kept.isEmpty()
                                        ? plan.endOffset()
                                        : Math.max(
                                                plan.endOffset(), kept.getLast().offset() + 1));
                kept.addAll(StoreNode.append(log, 5, random));
            }
            machine = machine.processKill();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void whateverIsDamagedTheRestIsServedAndTheLossIsNamed(Mode mode) throws IOException {
        int damaged = 0;
        for (long seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            history(seed, random, random.nextInt(3) == 0);
            damage(random);
            RepairPlan plan = repair(machine, mode);
            machine = machine.processKill();
            String what = "seed " + seed + ": " + plan.damage() + " lost " + plan.lost();
            if (plan.damage() == null) {
                continue; // The newest frame was torn by the flip, or an unused byte was hit.
            }
            damaged++;
            for (Lost lost : plan.lost()) {
                assertThat(lost.fromOffset()).as(what).isLessThan(lost.toOffset());
            }
            servesWhatWasKept(plan, random, what);
        }
        assertThat(damaged).isGreaterThan(HISTORIES / 2);
    }

    @Test
    void nothingIsLostButTheDamagedFrames() throws IOException {
        Random random = new Random(3);
        history(3, random, false);
        DamagedLog files = new DamagedLog(machine, DATA, spec);
        files.flip(files.segments().get(1), random);
        RepairPlan plan = repair(machine, Mode.KEEP_BEYOND);
        assertThat(plan.lost()).hasSize(1);
        Lost lost = plan.lost().getFirst();
        assertThat(lost.toOffset() - lost.fromOffset())
                .as("one frame of at most four messages")
                .isBetween(1L, 4L);
        assertThat(plan.keptMessages()).isEqualTo(appended.size() - (lost.toOffset() - lost.fromOffset()));
        machine = machine.processKill();
        try (StoreNode node = new StoreNode(machine, DATA)) {
            assertThat(node.reports.kept()).last().satisfies(kept -> {
                assertThat(kept.report().action()).isEqualTo(Action.REPAIRED);
                assertThat(kept.report().fromOffset()).isEqualTo(lost.fromOffset());
                assertThat(kept.report().toOffset()).isEqualTo(lost.toOffset());
                assertThat(kept.report().quarantineFile()).startsWith("quarantine/");
                assertThat(kept.isOpen()).isTrue();
            });
            String backup = node.reports.kept().getLast().report().quarantineFile();
            assertThat(machine.list(DATA.resolve(backup))).as("the old files").hasSizeGreaterThan(5);
        }
    }

    @Test
    void theReportsOfARefusedPartitionAreResolvedByItsRepair() throws IOException {
        Random random = new Random(4);
        history(4, random, false);
        DamagedLog files = new DamagedLog(machine, DATA, spec);
        files.flip(files.segments().getLast(), random);
        try (StoreNode node = new StoreNode(machine, DATA)) {
            assertThat(node.store.find(spec.ref()).status().state()).isEqualTo(LogStatus.State.DAMAGED);
            assertThat(node.reports.kept()).filteredOn(KeptReport::isOpen).hasSize(1);
        }
        machine = machine.processKill();
        var unused = repair(machine, Mode.CUT);
        machine = machine.processKill();
        try (StoreNode node = new StoreNode(machine, DATA)) {
            assertThat(node.reports.kept())
                    .filteredOn(kept -> kept.report().action() == Action.REFUSED)
                    .noneMatch(KeptReport::isOpen);
            node.store.find(spec.ref()).append(io.keptlog.storage.TestBatches.batch(1, 10), Deadline.inMillis(10_000));
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void aRepairThatIsKilledAnywhereIsRunAgain(Mode mode) throws IOException {
        int finished = 0;
        for (long seed = 0; finished < 2; seed++) {
            Random random = new Random(1000 + seed / 3);
            history(seed, random, seed % 2 == 0);
            DamagedLog files = new DamagedLog(machine, DATA, spec);
            files.flip(files.segments().get(1), random);
            SimulatedFiles killed = machine;
            killed.stopAfter(seed * 7);
            boolean stopped = false;
            try {
                var unused = repair(killed, mode);
            } catch (IOException | RuntimeException e) {
                stopped = killed.stopped();
                assertThat(stopped).as("seed " + seed + ": " + e).isTrue();
            }
            finished += stopped ? 0 : 1;
            machine = seed % 2 == 0 ? killed.powerCut(new Random(seed)) : killed.processKill();
            RepairPlan plan = repair(machine, mode);
            machine = machine.processKill();
            RepairPlan expected = plan;
            servesWhatIsThere(expected, "seed " + seed + ", " + mode);
        }
    }

    /** After a finished repair the plan finds nothing to do: what is missing is what the reads call a gap, or behind the end. */
    private void servesWhatIsThere(RepairPlan plan, String seed) throws IOException {
        assertThat(DataCheck.run(machine, DATA, CheckProgress.NONE).findings())
                .as(seed)
                .isEmpty();
        try (StoreNode node = new StoreNode(machine, DATA)) {
            PartitionLog log = node.store.find(spec.ref());
            assertThat(log.status().state()).as(seed + plan).isEqualTo(LogStatus.State.OPEN);
            List<Gap> gaps = new ArrayList<>();
            List<Read> found = StoreNode.readAll(log, gaps);
            assertThat(found).as(seed).isNotEmpty();
            assertThat(appended).as(seed).containsAll(found);
            long missing =
                    gaps.stream().mapToLong(g -> g.toOffset() - g.fromOffset()).sum();
            assertThat(found.size() + missing).as(seed).isEqualTo(log.status().endOffset());
            assertThat(log.status().endOffset())
                    .as(seed)
                    .isLessThanOrEqualTo(appended.size())
                    .isGreaterThan(plan.mode() == Mode.KEEP_BEYOND ? appended.size() - 1L : 0L);
        }
    }
}
