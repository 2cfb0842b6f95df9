// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.TestBatches.Read;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is there after a stop, a kill and a power cut, on a simulated machine. */
class SegmentStoreRestartTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(30));
    }

    private static LogOptions small(Durability durability) {
        return new LogOptions(4096, durability, 1024, 1 << 20, false);
    }

    private static List<Read> readAll(PartitionLog log) {
        List<Read> all = new ArrayList<>();
        long from = log.status().firstOffset();
        while (true) {
            try (Slice slice = log.read(from, 100, 1 << 20, Visibility.TOPIC)) {
                if (slice.count() == 0) {
                    return all;
                }
                all.addAll(TestBatches.messages(slice));
                from = slice.nextOffset();
            }
        }
    }

    /** The same catalog, epoch and reports on another state of the machine. */
    private static StoreFixture on(FileLayer files, StoreFixture before) {
        StoreFixture after = new StoreFixture(files, before.dataDir);
        after.settings = before.settings;
        after.catalog.addAll(before.catalog);
        after.removals.addAll(before.removals);
        after.reports.addAll(before.reports);
        after.epoch.set(before.epoch.get());
        return after;
    }

    private static long seed(String test) {
        long seed = System.nanoTime();
        System.out.println(test + " seed " + seed);
        return seed;
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void aKillLosesNothingAndAPowerCutOnlyWhatWasNotSynced(Durability durability) {
        long seed = seed("aKillLosesNothingAndAPowerCutOnlyWhatWasNotSynced");
        Random random = new Random(seed);
        for (int run = 0; run < Integer.getInteger("keptlog.runs", 12); run++) {
            SimulatedFiles machine = new SimulatedFiles(random.nextLong());
            StoreFixture fixture = new StoreFixture(machine, DATA);
            fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
            PartitionSpec spec = fixture.create(small(durability)).spec();
            List<Read> expected = new ArrayList<>();
            for (int life = 0; life < 4; life++) {
                PartitionLog log = fixture.store().find(spec.ref());
                assertThat(log.status().state()).as("seed " + seed).isEqualTo(LogStatus.State.OPEN);
                long synced = appendAtRandom(log, random, expected, durability);
                boolean power = random.nextBoolean();
                SimulatedFiles after = power ? machine.powerCut(random) : machine.processKill();
                fixture.close();
                fixture = on(after, fixture);
                machine = after;
                List<Read> found = readAll(fixture.store().find(spec.ref()));
                assertThat(found).as("seed " + seed).isEqualTo(expected.subList(0, found.size()));
                if (!power) {
                    assertThat(found.size()).as("a kill, seed " + seed).isEqualTo(expected.size());
                }
                assertThat((long) found.size())
                        .as("a power cut, seed " + seed)
                        .isGreaterThanOrEqualTo(durability == Durability.PERSISTED ? expected.size() : synced);
                expected.subList(found.size(), expected.size()).clear();
            }
            fixture.close();
        }
    }

    /** @return what is on stable storage at least */
    private static long appendAtRandom(PartitionLog log, Random random, List<Read> expected, Durability durability) {
        long synced = 0;
        int batches = random.nextInt(30);
        for (int i = 0; i < batches; i++) {
            List<byte[]> records = TestBatches.randomRecords(random, 5, random.nextInt(8) == 0 ? 6000 : 400);
            Appended appended = log.append(TestBatches.batch(records), soon());
            assertThat(appended.baseOffset()).isEqualTo(expected.size());
            for (byte[] one : records) {
                expected.add(new Read(expected.size(), TestBatches.text(one)));
            }
            if (durability == Durability.PERSISTED || random.nextInt(10) == 0) {
                log.tail().awaitPersisted(appended.endOffset(), soon());
                synced = appended.endOffset();
            }
        }
        return synced;
    }

    @Test
    void aGracefulStopSyncsEverythingAndLeavesTheMarker() {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.REPLICATED));
        for (int i = 0; i < 50; i++) {
            log.append(TestBatches.batch(1, 500), soon());
        }
        assertThat(fixture.store().drain(soon())).isEmpty();
        assertThatThrownBy(() -> log.append(TestBatches.batch(1, 10), soon()))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
        fixture.close();
        SimulatedFiles after = machine.powerCut(new Random(2));
        assertThat(after.exists(DATA.resolve("clean"))).isTrue();
        StoreFixture again = on(after, fixture);
        PartitionLog reopened = again.store().find(log.spec().ref());
        assertThat(readAll(reopened)).hasSize(50);
        assertThat(again.reports).isEmpty();
        assertThat(after.exists(DATA.resolve("clean"))).isFalse();
        assertThat(reopened.append(TestBatches.batch(1, 10), soon()).epoch()).isEqualTo(2);
        again.close();
    }

    /** The stop came after the roll's new name and before its first frame; the power cut took the header. */
    @Test
    void aNextSegmentThatAStopLeftWithoutAHeaderIsNoDamage() throws IOException {
        SimulatedFiles machine = new SimulatedFiles(1);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.REPLICATED));
        log.append(TestBatches.batch(3, 500), soon());
        assertThat(fixture.store().drain(soon())).isEmpty();
        fixture.close();
        SimulatedFiles after = machine.powerCut(new Random(2));
        Path next = fixture.directory(log).resolve("00000000000000000003.log");
        try (StoreFile file = after.open(next, FileLayer.Mode.CREATE_NEW)) {
            file.write(MemorySegment.ofArray(new byte[8192]), 0);
            file.syncData();
        }
        after.syncDirectory(next.getParent());
        StoreFixture again = on(after, fixture);
        PartitionLog reopened = again.store().find(log.spec().ref());
        assertThat(reopened.status().state()).isEqualTo(LogStatus.State.OPEN);
        assertThat(readAll(reopened)).hasSize(3);
        assertThat(reopened.append(TestBatches.batch(1, 10), soon()).baseOffset())
                .isEqualTo(3);
        again.close();
    }

    @Test
    void aPartitionWhoseCatalogRecordIsDurableIsThereWhateverTheCrash() {
        SimulatedFiles machine = new SimulatedFiles(3);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionSpec spec = fixture.newSpec(small(Durability.PERSISTED));
        fixture.store().prepare(List.of(spec));
        fixture.catalog.add(spec);
        StoreFixture again = on(machine.powerCut(new Random(4)), fixture);
        fixture.close();
        PartitionLog log = again.store().find(spec.ref());
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        assertThat(log.append(TestBatches.batch(1, 10), soon()).baseOffset()).isZero();
        assertThat(again.reports).isEmpty();
        again.close();
    }

    @Test
    void whatWasPreparedAndNeverRecordedIsClearedAway() {
        SimulatedFiles machine = new SimulatedFiles(5);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionSpec spec = fixture.newSpec(small(Durability.PERSISTED));
        fixture.store().prepare(List.of(spec));
        fixture.restart();
        assertThat(machine.exists(PartitionPaths.fresh(DATA, spec).directory())).isFalse();
        assertThat(fixture.reports).isEmpty();
        fixture.close();
    }

    @Test
    void aDirectoryThatNobodyKnowsIsPutAsideAndReported() throws Exception {
        SimulatedFiles machine = new SimulatedFiles(6);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        log.tail().awaitPersisted(log.append(TestBatches.batch(1, 10), soon()).endOffset(), soon());
        fixture.catalog.clear();
        fixture.restart();
        assertThat(fixture.reports).singleElement().satisfies(report -> {
            assertThat(report.found()).isEqualTo(Found.UNKNOWN_DIRECTORY);
            assertThat(machine.exists(DATA.resolve(report.quarantineFile()))).isTrue();
        });
        assertThat(machine.exists(fixture.directory(log))).isFalse();
        fixture.close();
    }

    @Test
    void nothingIsPutAsideOnTheWordOfADamagedCatalog() throws Exception {
        SimulatedFiles machine = new SimulatedFiles(7);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        log.tail().awaitPersisted(log.append(TestBatches.batch(1, 10), soon()).endOffset(), soon());
        fixture.catalog.clear();
        fixture.catalogComplete = false;
        fixture.restart();
        assertThat(fixture.reports).isEmpty();
        assertThat(machine.exists(fixture.directory(log))).isTrue();
        fixture.close();
    }

    @Test
    void aPartitionWhoseDirectoryVanishedIsNeverMadeEmptyAgain() throws Exception {
        SimulatedFiles machine = new SimulatedFiles(7);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        PartitionLog healthy = fixture.create(small(Durability.PERSISTED));
        log.tail().awaitPersisted(log.append(TestBatches.batch(1, 10), soon()).endOffset(), soon());
        Path directory = fixture.directory(log);
        fixture.close();
        for (Path file : machine.list(directory)) {
            machine.delete(file);
        }
        machine.delete(directory);
        PartitionLog refused = fixture.store().find(log.spec().ref());
        assertThat(refused.status().state()).isEqualTo(LogStatus.State.DAMAGED);
        assertThatThrownBy(() -> refused.append(TestBatches.batch(1, 10), soon()))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_FENCED));
        assertThatThrownBy(() -> refused.read(0, 1, 1, Visibility.TOPIC))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_DAMAGED));
        assertThat(fixture.reports).anyMatch(report -> report.found() == Found.MISSING_PARTITION);
        assertThat(fixture.store().find(healthy.spec().ref()).status().state()).isEqualTo(LogStatus.State.OPEN);
        fixture.close();
    }

    @Test
    void aDeletedLifeNeverComesBackAndTheNextOneStartsEmpty() {
        Random random = new Random(seed("aDeletedLifeNeverComesBackAndTheNextOneStartsEmpty"));
        for (int run = 0; run < 20; run++) {
            SimulatedFiles machine = new SimulatedFiles(random.nextLong());
            StoreFixture fixture = new StoreFixture(machine, DATA);
            PartitionLog old = fixture.create(small(Durability.PERSISTED));
            old.tail()
                    .awaitPersisted(old.append(TestBatches.batch(3, 10), soon()).endOffset(), soon());
            PartitionSpec next = new PartitionSpec(old.spec().ref(), random.nextLong(), small(Durability.PERSISTED));
            // The tombstone and the next record are durable; the crash comes at any point of what follows.
            fixture.removals.add(new Removal(old.spec().ref(), old.spec().incarnation()));
            fixture.catalog.clear();
            fixture.store().prepare(List.of(next));
            fixture.catalog.add(next);
            machine.stopAfter(random.nextInt(12));
            try {
                fixture.store().remove(fixture.removals);
                fixture.store().open(List.of(next));
            } catch (RuntimeException e) {
                assertThat(machine.stopped()).as(String.valueOf(e)).isTrue();
            }
            SimulatedFiles after = random.nextBoolean() ? machine.powerCut(random) : machine.processKill();
            fixture.close();
            StoreFixture again = on(after, fixture);
            PartitionLog log = again.store().find(next.ref());
            assertThat(log.spec()).isEqualTo(next);
            assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
            assertThat(log.status().endOffset()).isZero();
            assertThat(again.store().remove(again.removals)).isEqualTo(again.removals);
            assertThat(again.store().find(next.ref())).isSameAs(log);
            assertThat(log.append(TestBatches.batch(1, 10), soon()).baseOffset())
                    .isZero();
            again.close();
        }
    }

    @Test
    void deletedSegmentsStayDeletedAndTheReasonOfTheGapIsRetention() {
        SimulatedFiles machine = new SimulatedFiles(8);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        for (int i = 0; i < 20; i++) {
            log.tail()
                    .awaitPersisted(
                            log.append(TestBatches.batch(1, 2000), soon()).endOffset(), soon());
        }
        log.deleteSegments(10, Gap.Reason.RETENTION);
        long first = log.status().firstOffset();
        assertThat(first).isPositive();
        StoreFixture again = on(machine.powerCut(new Random(9)), fixture);
        fixture.close();
        PartitionLog reopened = again.store().find(log.spec().ref());
        assertThat(reopened.status().state()).isEqualTo(LogStatus.State.OPEN);
        assertThat(reopened.status().firstOffset()).isEqualTo(first);
        assertThat(reopened.status().endOffset()).isEqualTo(20);
        again.close();
    }

    @Test
    void aNewPartitionCostsLittleDiskAndManyAreMadeQuickly() throws Exception {
        SimulatedFiles machine = new SimulatedFiles(10);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        List<PartitionSpec> specs = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            specs.add(fixture.newSpec(LogOptions.defaults(Durability.PERSISTED)));
        }
        fixture.store().prepare(specs);
        fixture.catalog.addAll(specs);
        fixture.store().open(specs);
        Path directory = PartitionPaths.inPlace(DATA, specs.getFirst().ref()).directory();
        long size = 0;
        for (Path file : machine.list(directory)) {
            try (var opened = machine.open(file, FileLayer.Mode.READ)) {
                size += opened.size();
            }
        }
        assertThat(size).isLessThanOrEqualTo(64 << 10);
        assertThat(fixture.store().all()).hasSize(300);
        fixture.close();
    }

    @Test
    void theNumberOfMappedSegmentsStaysBelowItsLimit() {
        SimulatedFiles machine = new SimulatedFiles(11);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        fixture.settings = SegmentStoreSettings.defaults().withMappedSegmentsMax(4);
        PartitionLog log = fixture.create(small(Durability.REPLICATED));
        for (int i = 0; i < 40; i++) {
            log.append(TestBatches.batch(1, 3000), soon());
        }
        assertThat(log.status().segments()).isEqualTo(40);
        for (int round = 0; round < 3; round++) {
            assertThat(readAll(log)).hasSize(40);
            assertThat(fixture.store().mappings().mappedSegments()).isLessThanOrEqualTo(4);
        }
        fixture.close();
    }

    @Test
    void aTornTailThatFindsNoRoomIsReadOnlyUntilSpaceIsBack() throws Exception {
        SimulatedFiles machine = new SimulatedFiles(12);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        log.tail().awaitPersisted(log.append(TestBatches.batch(1, 500), soon()).endOffset(), soon());
        byte[] payload = new byte[3000];
        java.util.Arrays.fill(payload, (byte) 7);
        log.append(TestBatches.batch(List.of(TestBatches.record(1, payload))), soon());
        Path segment = fixture.directory(log).resolve("00000000000000000000.log");
        SimulatedFiles killed = machine.processKill();
        fixture.close();
        // Two sectors of the last frame never reached the disk.
        try (var opened = killed.open(segment, FileLayer.Mode.READ_WRITE)) {
            opened.write(java.lang.foreign.MemorySegment.ofArray(new byte[1024]), 5632);
            opened.syncData();
        }
        io.keptlog.storage.file.FaultyFiles full = new io.keptlog.storage.file.FaultyFiles(killed);
        full.failFrom(
                io.keptlog.storage.file.FaultyFiles.Call.CREATE,
                path -> path.toString().contains("quarantine"),
                1,
                () -> new io.keptlog.storage.file.NoSpaceException("ENOSPC"));
        StoreFixture again = on(full, fixture);
        PartitionLog readOnly = again.store().find(log.spec().ref());
        assertThat(readOnly.status().state()).isEqualTo(LogStatus.State.READ_ONLY);
        assertThat(readAll(readOnly)).hasSize(1);
        assertThatThrownBy(() -> readOnly.append(TestBatches.batch(1, 10), soon()))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_FENCED));
        full.heal();
        Deadline deadline = soon();
        while (again.store().find(log.spec().ref()).status().state() != LogStatus.State.OPEN) {
            assertThat(deadline.passed()).isFalse();
            Thread.onSpinWait();
        }
        PartitionLog open = again.store().find(log.spec().ref());
        assertThat(open.append(TestBatches.batch(1, 10), soon()).baseOffset()).isEqualTo(1);
        again.close();
    }

    @Test
    void theDirectoriesOfADeletedTopicGoWithItsLastPartition() throws Exception {
        SimulatedFiles files = new SimulatedFiles(1);
        Path stream = DATA.resolve("streams").resolve("0");
        try (StoreFixture store = new StoreFixture(files, DATA)) {
            PartitionLog first = store.create(small(Durability.PERSISTED));
            PartitionLog second = store.create(small(Durability.REPLICATED));
            store.delete(first);
            assertThat(files.exists(store.directory(second))).isTrue();
            store.delete(second);
            assertThat(files.exists(stream)).isFalse();
            store.create(small(Durability.PERSISTED));
            assertThat(files.exists(stream)).isTrue();
            files.createDirectories(DATA.resolve("streams/7/topics/1/partitions"));
            files.createDirectories(DATA.resolve("streams/8/topics"));
            files.createDirectories(DATA.resolve("streams/9"));
            store.restart();
            assertThat(files.list(DATA.resolve("streams"))).containsExactly(stream);
            assertThat(store.reports).isEmpty();
        }
    }
}
