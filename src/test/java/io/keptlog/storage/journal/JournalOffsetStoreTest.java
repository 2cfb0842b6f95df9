// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ConsumerKey.Kind;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.OffsetStoreContract;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer.Mode;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.SimulatedFiles.Options;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JournalOffsetStoreTest extends OffsetStoreContract {
    private static final Path OFFSETS = JournalMachine.ROOT.resolve("offsets");

    private final long seed = new Random().nextLong();
    private JournalMachine machine;

    @BeforeEach
    void start() {
        machine = new JournalMachine(seed, Options.HARSH);
        machine.start();
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    @Override
    protected OffsetStore store() {
        return machine.offsets;
    }

    @Override
    protected OffsetStore reopened() {
        machine.restart();
        return machine.offsets;
    }

    private static ConsumerKey consumer(int id) {
        return new ConsumerKey(Kind.CONSUMER, id);
    }

    private Path newest() throws IOException {
        return machine.disk.list(OFFSETS).stream()
                .filter(p -> p.toString().endsWith(".journal"))
                .toList()
                .getLast();
    }

    private void refused(ErrorCode code, Runnable write) {
        assertThatThrownBy(write::run).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }

    private void storePersisted(ConsumerKey consumer, long offset) {
        long end = store().store(P0, consumer, offset);
        store().tail(P0).awaitPersisted(end, Deadline.inMillis(30_000));
    }

    private void damagedReportIsThere() {
        assertThat(machine.reports.list()).hasSize(1);
        RecoveryReport report = machine.reports.list().getFirst();
        assertThat(report.found()).isEqualTo(Found.JOURNAL_DAMAGE);
        assertThat(report.action()).isEqualTo(Action.REBUILT);
        assertThat(report.acknowledgedPossible()).isTrue();
        assertThat(report.detail()).contains("offset journal");
    }

    @Test
    void anEmptiedJournalBootsWithThePreviousGenerationAndSaysSo() throws IOException {
        storePersisted(ONE, 1000);
        machine.restart();
        storePersisted(LARGEST, 5);
        machine.stop();
        try (StoreFile f = machine.disk.open(newest(), Mode.READ_WRITE)) {
            f.truncate(0);
            f.syncData();
        }
        machine.start();
        assertThat(store().get(P0, ONE)).hasValue(1000);
        damagedReportIsThere();
        storePersisted(ONE, 1001);
        machine.restart();
        assertThat(store().get(P0, ONE)).hasValue(1001);
        damagedReportIsThere();
    }

    @Test
    void garbageOverTheWholeFileBootsWithThePreviousGeneration() throws IOException {
        storePersisted(ONE, 1000);
        machine.restart();
        machine.stop();
        byte[] garbage = new byte[30_000];
        new Random(seed).nextBytes(garbage);
        try (StoreFile f = machine.disk.open(newest(), Mode.READ_WRITE)) {
            f.write(MemorySegment.ofArray(garbage), 0);
            f.syncData();
        }
        machine.start();
        assertThat(store().get(P0, ONE)).as("seed " + seed).hasValue(1000);
        damagedReportIsThere();
    }

    @Test
    void aMissingNewestFileBootsWithThePreviousGenerationAndSaysSo() throws IOException {
        storePersisted(ONE, 1000);
        machine.restart();
        storePersisted(ONE, 1001);
        machine.stop();
        machine.disk.delete(newest());
        machine.start();
        assertThat(store().get(P0, ONE)).hasValue(1000);
        damagedReportIsThere();
    }

    @Test
    void allFilesGoneIsReportedAndNotSilentlyZero() throws IOException {
        storePersisted(ONE, 1000);
        machine.stop();
        for (Path file : machine.disk.list(OFFSETS)) {
            machine.disk.delete(file);
        }
        machine.start();
        assertThat(store().get(P0, ONE)).isEmpty();
        damagedReportIsThere();
    }

    @Test
    void oneFlippedBitCostsOneRecordAndIsReported() throws IOException {
        for (int i = 0; i < 10; i++) {
            storePersisted(consumer(i), 100 + i);
        }
        machine.stop();
        long third = firstRecord() + 3 * 72;
        try (StoreFile f = machine.disk.open(newest(), Mode.READ_WRITE)) {
            byte[] one = new byte[1];
            f.read(MemorySegment.ofArray(one), third + 40);
            one[0] ^= 1;
            f.write(MemorySegment.ofArray(one), third + 40);
        }
        machine.start();
        for (int i = 0; i < 10; i++) {
            if (i == 3) {
                assertThat(store().get(P0, consumer(i))).isEmpty();
            } else {
                assertThat(store().get(P0, consumer(i))).hasValue(100 + i);
            }
        }
        damagedReportIsThere();
    }

    /** The first record comes after the end frame of the (empty) snapshot. */
    private static long firstRecord() {
        return 12288 + 32;
    }

    @Test
    void zerosOverTheLastRecordsOfAPersistedJournalAreDamage() throws Exception {
        machine.flushAgeMillis = 20;
        machine.restart();
        long checkpointed = 0;
        // A checkpoint is written with a sync at most once a second: go on until one is there.
        var end = Deadline.inMillis(30_000);
        while (checkpointed == 0 && !end.passed()) {
            storePersisted(ONE, 7);
            checkpointed = machine.files.events().stream()
                            .filter(e -> e.call() == Call.WRITE && e.path().startsWith(OFFSETS))
                            .filter(e -> e.length() == 32 && (e.position() == 4096 || e.position() == 8192))
                            .count()
                    - 1;
        }
        assertThat(checkpointed).isPositive();
        machine.stop();
        try (StoreFile f = machine.disk.open(newest(), Mode.READ_WRITE)) {
            f.write(MemorySegment.ofArray(new byte[(int) (f.size() - firstRecord())]), firstRecord());
        }
        machine.start();
        assertThat(machine.reports.list()).hasSize(1);
        assertThat(machine.reports.list().getFirst().found()).isEqualTo(Found.JOURNAL_DAMAGE);
    }

    @Test
    void megabytesOfZerosAppendedChangeNothing() throws IOException {
        storePersisted(ONE, 1000);
        machine.stop();
        try (StoreFile f = machine.disk.open(newest(), Mode.READ_WRITE)) {
            f.truncate(f.size() + (4 << 20));
        }
        machine.start();
        assertThat(store().get(P0, ONE)).hasValue(1000);
        assertThat(machine.reports.list()).isEmpty();
    }

    @Test
    void aTornLastRecordIsCutAndReported() throws IOException {
        storePersisted(ONE, 1000);
        machine.stop();
        try (StoreFile f = machine.disk.open(newest(), Mode.READ_WRITE)) {
            // The first bytes of a record whose second sector never came.
            long at = 12288 + 512 - 8;
            f.write(MemorySegment.ofArray(new byte[] {'J', 'F', 'R', 'M', 1, 2, 3, 4}), at);
        }
        machine.start();
        assertThat(store().get(P0, ONE)).hasValue(1000);
        assertThat(machine.reports.list()).hasSize(1);
        assertThat(machine.reports.list().getFirst().found()).isEqualTo(Found.JOURNAL_TAIL);
        assertThat(machine.reports.list().getFirst().action()).isEqualTo(Action.CUT);
    }

    @Test
    void aFailedSyncFencesOffsetWritesAndReadingGoesOn() {
        storePersisted(ONE, 1);
        machine.files.fail(Call.SYNC, p -> p.startsWith(OFFSETS), 1, () -> new IOException("EIO"));
        refused(ErrorCode.SYNC_FAILED, () -> storePersisted(ONE, 2));
        machine.files.heal();
        refused(ErrorCode.OFFSETS_FENCED, () -> store().store(P0, ONE, 3));
        refused(ErrorCode.OFFSETS_FENCED, () -> store().delete(P0, ONE));
        assertThat(store().get(P0, ONE)).hasValue(2);
        assertThat(store().faults()).hasSize(1);
        assertThat(machine.catalog.faults()).isEmpty();
        machine.kill();
        machine.start();
        assertThat(store().faults()).isEmpty();
        storePersisted(ONE, 4);
    }

    @Test
    void aWaitThatEndsTooEarlySaysUnknown() throws Exception {
        var hold = machine.files.hold(Call.SYNC, p -> p.startsWith(OFFSETS));
        long end = store().store(P0, ONE, 1);
        refused(ErrorCode.OFFSET_WRITE_TIMEOUT, () -> store().tail(P0).awaitPersisted(end, Deadline.inMillis(50)));
        hold.release();
        store().tail(P0).awaitPersisted(end, Deadline.inMillis(30_000));
    }

    @Test
    void everybodyWhoWaitsIsReleasedByOneSync() throws Exception {
        storePersisted(ONE, 0);
        var hold = machine.files.hold(Call.SYNC, p -> p.startsWith(OFFSETS));
        var first = CompletableFuture.runAsync(() -> storePersisted(consumer(0), 1));
        hold.awaitArrival();
        var others = new ArrayList<CompletableFuture<Void>>();
        for (int i = 1; i <= 20; i++) {
            var consumer = consumer(i);
            others.add(CompletableFuture.runAsync(
                    () -> storePersisted(consumer, 1), r -> Thread.ofVirtual().start(r)));
        }
        var allStored = Deadline.inMillis(30_000);
        while (store().list(P0).size() < 21 && !allStored.passed()) {
            Thread.onSpinWait();
        }
        machine.files.clearEvents();
        hold.release();
        first.get(30, TimeUnit.SECONDS);
        for (var other : others) {
            other.get(30, TimeUnit.SECONDS);
        }
        assertThat(machine.files.count(Call.SYNC, p -> p.startsWith(OFFSETS))).isBetween(1, 4);
    }

    @Test
    void offsetsThatNobodyWaitsForAreSyncedByAge() {
        machine.flushAgeMillis = 20;
        machine.restart();
        long end = store().store(P0, ONE, 1);
        var deadline = Deadline.inMillis(30_000);
        while (store().tail(P0).persistedEnd() < end && !deadline.passed()) {
            Thread.onSpinWait();
        }
        assertThat(store().tail(P0).persistedEnd()).isGreaterThanOrEqualTo(end);
    }

    @Test
    void aFullDiskRefusesAndIsNoFence() {
        storePersisted(ONE, 1);
        machine.files.failFrom(
                Call.WRITE, p -> p.startsWith(OFFSETS), 1, () -> new NoSpaceException("no space left on device"));
        refused(ErrorCode.NO_SPACE, () -> store().store(P0, ONE, 2));
        assertThat(store().get(P0, ONE)).hasValue(1);
        machine.files.heal();
        storePersisted(ONE, 3);
        assertThat(reopened().get(P0, ONE)).hasValue(3);
        assertThat(store().faults()).isEmpty();
    }

    @Test
    void rewritingKeepsTheJournalSmallAndLosesNothing() throws Exception {
        machine.compactBytes = 20_000;
        machine.restart();
        var random = new Random(seed);
        long[] last = new long[8];
        for (int i = 0; i < 20_000; i++) {
            int who = random.nextInt(8);
            last[who] = i;
            store().store(P0, consumer(who), i);
            if (i % 500 == 0) {
                storePersisted(consumer(who), i);
            }
        }
        machine.kill();
        machine.start();
        for (int who = 0; who < 8; who++) {
            assertThat(store().get(P0, consumer(who))).as("seed " + seed).hasValue(last[who]);
        }
        assertThat(machine.reports.list()).isEmpty();
        assertThat(machine.disk.list(OFFSETS).size()).isLessThanOrEqualTo(3);
        long generation = Long.parseLong(newest().getFileName().toString().substring(0, 20));
        assertThat(generation).isGreaterThan(5);
    }

    @Test
    void recordsThatComeWhileARewriteIsTakenOverAreInBothGenerations() throws Exception {
        machine.compactBytes = 500;
        machine.restart();
        long next = 1 + Long.parseLong(newest().getFileName().toString().substring(0, 20));
        java.util.function.Predicate<Path> ofNext =
                p -> p.startsWith(OFFSETS) && p.toString().contains("%020d".formatted(next));
        var rewriteSyncs = machine.files.hold(Call.SYNC, ofNext);
        for (int i = 0; i < 10; i++) {
            storePersisted(ONE, i);
        }
        rewriteSyncs.awaitArrival();
        store().store(P0, consumer(20), 20);
        var ownerSyncs = machine.files.hold(Call.SYNC, ofNext);
        rewriteSyncs.release();
        ownerSyncs.awaitArrival();
        store().store(P0, consumer(21), 21);
        ownerSyncs.release();
        storePersisted(consumer(22), 22);
        assertThat(newest().toString()).contains("%020d".formatted(next));
        machine.kill();
        machine.start();
        assertThat(store().get(P0, ONE)).hasValue(9);
        for (int i = 20; i <= 22; i++) {
            assertThat(store().get(P0, consumer(i))).hasValue(i);
        }
        assertThat(machine.reports.list()).isEmpty();
    }

    @Test
    void aRewriteThatFailsIsGivenUpAndTheJournalGoesOn() throws Exception {
        machine.compactBytes = 5_000;
        machine.restart();
        machine.files.failFrom(
                Call.CREATE, p -> p.startsWith(OFFSETS), 1, () -> new NoSpaceException("no space left on device"));
        for (int i = 0; i < 2_000; i++) {
            store().store(P0, ONE, i);
            if (i % 100 == 0) {
                storePersisted(ONE, i);
            }
        }
        storePersisted(ONE, 9_999);
        assertThat(store().faults()).isEmpty();
        machine.kill();
        machine.start();
        assertThat(store().get(P0, ONE)).hasValue(9_999);
    }

    @Test
    void anInterruptedWaiterStillGetsItsAnswer() {
        long end = store().store(P0, ONE, 1);
        Thread.currentThread().interrupt();
        store().tail(P0).awaitPersisted(end, Deadline.inMillis(30_000));
        assertThat(Thread.interrupted()).isTrue();
    }
}
