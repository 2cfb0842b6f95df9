// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.DamagedLog;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.StoreNode;
import io.keptlog.storage.check.Finding.Severity;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.SimulatedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a verification finds on the simulated machine. */
class DataCheckTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final int BATCHES = 60;

    private final Random random = new Random(7);
    private SimulatedFiles machine = new SimulatedFiles(7);
    private final List<PartitionSpec> specs = new ArrayList<>();
    private long messages;

    /** Two partitions of some segments, everything synced, killed. */
    @BeforeEach
    void aKilledServer() {
        try (StoreNode node = new StoreNode(machine, DATA)) {
            for (Durability durability : Durability.values()) {
                PartitionLog log = node.create(durability, random);
                messages += StoreNode.append(log, BATCHES, random).size();
                StoreNode.persist(log);
                specs.add(log.spec());
            }
        }
        machine = machine.processKill();
    }

    private CheckReport check() throws IOException {
        return DataCheck.run(machine, DATA, CheckProgress.NONE);
    }

    private DamagedLog files(int partition) {
        return new DamagedLog(machine, DATA, specs.get(partition));
    }

    private static List<Finding> damages(CheckReport report) {
        return report.findings().stream()
                .filter(f -> f.severity() == Severity.DAMAGE)
                .toList();
    }

    @Test
    void aSoundDirectoryHasNoFindingsAndEverythingIsCounted() throws IOException {
        CheckReport report = check();
        assertThat(report.findings()).isEmpty();
        assertThat(report.damaged()).isFalse();
        assertThat(report.inUse()).isFalse();
        assertThat(report.partitions()).isEqualTo(2);
        assertThat(report.messages()).isEqualTo(messages);
        assertThat(report.frames()).isEqualTo(2L * BATCHES);
        assertThat(report.segments()).isGreaterThan(6);
        assertThat(report.journalRecords()).isPositive();
        assertThat(report.bytes()).isPositive();
    }

    @Test
    void aDirectoryInUseIsVerifiedBesideItsServer() throws IOException {
        try (StoreNode node = new StoreNode(machine, DATA)) {
            PartitionLog log = node.store.find(specs.getFirst().ref());
            int more = StoreNode.append(log, 5, random).size();
            CheckReport report = check();
            assertThat(report.inUse()).isTrue();
            assertThat(damages(report)).isEmpty();
            assertThat(report.messages()).isEqualTo(messages + more);
        }
    }

    @Test
    void everyFlippedBitOfEverySegmentIsFound() throws IOException {
        List<Path> segments = files(0).segments();
        for (int round = 0; round < 200; round++) {
            Path segment = segments.get(random.nextInt(segments.size()));
            byte[] before = files(0).content(segment);
            files(0).flip(segment, random);
            assertThat(damages(check()))
                    .as("round " + round + " in " + segment)
                    .isNotEmpty()
                    .allSatisfy(f -> assertThat(f.component())
                            .isEqualTo("partition " + specs.getFirst().ref()));
            files(0).write(segment, 0, before);
        }
        assertThat(damages(check())).isEmpty();
    }

    @Test
    void whatIsIntactBeyondDamageIsTold() throws IOException {
        Path segment = files(0).segments().get(1);
        files(0).flip(segment, random);
        assertThat(damages(check())).singleElement().satisfies(f -> {
            assertThat(f.found()).isEqualTo(Found.INTERIOR_DAMAGE);
            assertThat(f.file()).endsWith(segment.getFileName().toString());
            assertThat(f.fromOffset()).isPositive();
            assertThat(f.toPosition()).isGreaterThan(f.fromPosition());
        });
    }

    @Test
    void aMissingSegmentIsARangeOfOffsets() throws IOException {
        List<Path> segments = files(1).segments();
        long from = Long.parseLong(segments.get(2).getFileName().toString().substring(0, 20));
        long to = Long.parseLong(segments.get(3).getFileName().toString().substring(0, 20));
        files(1).delete(segments.get(2));
        assertThat(damages(check())).singleElement().satisfies(f -> {
            assertThat(f.found()).isEqualTo(Found.MISSING_SEGMENT);
            assertThat(f.fromOffset()).isEqualTo(from);
            assertThat(f.toOffset()).isEqualTo(to);
        });
    }

    @Test
    void damagedIndexesCheckpointsAndJournalsAreFoundEach() throws IOException {
        long base = Long.parseLong(
                files(0).segments().getFirst().getFileName().toString().substring(0, 20));
        record Case(Path file, long at, Found found) {}
        Path offsets = machine.list(DATA.resolve("offsets")).getFirst();
        for (Case one : List.of(
                new Case(files(0).paths.index(base), 20, Found.DAMAGED_INDEX),
                new Case(files(0).paths.index(base), 130, Found.DAMAGED_INDEX),
                new Case(files(0).paths.checkpoint(), 60, Found.DAMAGED_CHECKPOINT),
                new Case(files(0).paths.checkpoint(), 4096 + 60, Found.DAMAGED_CHECKPOINT),
                new Case(machine.list(DATA.resolve("catalog/a")).getFirst(), 12288 + 40, Found.JOURNAL_DAMAGE),
                new Case(offsets, 9, Found.JOURNAL_DAMAGE))) {
            byte[] before = files(0).content(one.file());
            files(0).write(one.file(), one.at(), new byte[] {(byte) (before[(int) one.at()] ^ 1)});
            assertThat(damages(check())).as(one.toString()).isNotEmpty().allSatisfy(f -> assertThat(f.found())
                    .isEqualTo(one.found()));
            files(0).write(one.file(), 0, before);
        }
        assertThat(check().findings()).isEmpty();
    }

    @Test
    void aTornTailIsWhatACrashLeavesAndNoDamage() throws IOException {
        Path newest = files(0).segments().getLast();
        byte[] content = files(0).content(newest);
        int end = content.length;
        while (content[end - 1] == 0) {
            end--;
        }
        files(0).write(newest, (end + 7) / 8 * 8, new byte[] {'K', 'L', 'F', '1', 5});
        CheckReport report = check();
        assertThat(report.damaged()).isFalse();
        assertThat(report.findings()).singleElement().satisfies(f -> {
            assertThat(f.severity()).isEqualTo(Severity.CRASH);
            assertThat(f.found()).isEqualTo(Found.TORN_TAIL);
        });
    }

    @Test
    void withoutACatalogTheSegmentsThemselvesSayWhoTheyAre() throws IOException {
        for (String copy : List.of("a", "b")) {
            for (Path file : machine.list(DATA.resolve("catalog").resolve(copy))) {
                machine.delete(file);
            }
        }
        CheckReport report = check();
        assertThat(report.messages()).isEqualTo(messages);
        assertThat(damages(report)).singleElement().satisfies(f -> assertThat(f.component())
                .isEqualTo("catalog journal"));
    }

    @Test
    void nothingIsWritten() throws IOException {
        files(0).flip(files(0).segments().get(1), random);
        machine.setSpace(0);
        assertThat(check().damaged()).isTrue();
    }

    @Test
    void whatIsNoDataDirectoryIsRefused() {
        assertThatThrownBy(() -> DataCheck.run(machine, DATA.resolve("streams"), CheckProgress.NONE))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("not a data directory");
    }
}
