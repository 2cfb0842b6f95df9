// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static io.keptlog.domain.Gap.Reason.RETENTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.format.SegmentHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What simulated histories found in the store, each once more by itself. */
class SegmentStoreFaultTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final LogOptions SMALL = new LogOptions(4096, Durability.REPLICATED, 1024, 1 << 20, false);

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(30));
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }

    private static StoreFixture after(SimulatedFiles machine, StoreFixture before) {
        before.close();
        StoreFixture next = new StoreFixture(machine, DATA);
        next.catalog.addAll(before.catalog);
        next.epoch.set(before.epoch.get());
        return next;
    }

    private static void persist(PartitionLog log) {
        log.tail().awaitPersisted(log.append(TestBatches.batch(1, 100), soon()).endOffset(), soon());
    }

    @Test
    void directoriesThatAKilledStartMadeAreDurableAfterTheNextOne() {
        for (int killedAfter = 0; killedAfter < 14; killedAfter++) {
            SimulatedFiles machine = new SimulatedFiles(killedAfter);
            StoreFixture fixture = new StoreFixture(machine, DATA);
            PartitionSpec spec = fixture.newSpec(SMALL);
            fixture.store().prepare(List.of(spec));
            fixture.catalog.add(spec);
            machine.stopAfter(killedAfter);
            try {
                fixture.store().open(List.of(spec));
            } catch (RuntimeException e) {
                assertThat(machine.stopped()).isTrue();
            }
            SimulatedFiles again = machine.processKill();
            fixture = after(again, fixture);
            persist(fixture.store().find(spec.ref()));
            fixture = after(again.powerCut(new Random(killedAfter)), fixture);
            LogStatus status = fixture.store().find(spec.ref()).status();
            assertThat(status.state()).as("killed after " + killedAfter).isEqualTo(LogStatus.State.OPEN);
            assertThat(status.endOffset()).isEqualTo(1);
            fixture.close();
        }
    }

    @Test
    void aDiskThatIsFullWhenTheCheckpointIsWrittenFencesNothing() {
        FaultyFiles files = new FaultyFiles(new SimulatedFiles(1));
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog log = fixture.create(SMALL);
        files.failFrom(Call.CREATE, path -> path.endsWith("epochs.new"), 1, () -> new NoSpaceException("full"));
        for (int i = 0; i < 50; i++) {
            persist(log);
        }
        assertThat(log.status().segments()).isGreaterThan(1);
        assertThat(files.count(Call.CREATE, path -> path.endsWith("epochs.new")))
                .isPositive();
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        assertThat(fixture.counts.noSpace).hasPositiveValue();
        fixture.close();
    }

    @Test
    void aDirectoryThatNobodyKnowsAndNobodyCanMoveIsReportedOnce() {
        SimulatedFiles machine = new SimulatedFiles(1);
        FaultyFiles files = new FaultyFiles(machine);
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog log = fixture.create(SMALL);
        persist(log);
        fixture.catalog.clear();
        for (int start = 0; start < 3; start++) {
            files.heal();
            files.fail(
                    Call.RENAME, path -> path.toString().contains("quarantine"), 1, () -> new NoSpaceException("full"));
            fixture.restart();
            assertThat(machine.exists(fixture.directory(log))).isTrue();
            assertThat(fixture.reports).hasSize(1);
        }
        files.heal();
        fixture.restart();
        assertThat(machine.exists(fixture.directory(log))).isFalse();
        assertThat(fixture.reports).hasSize(1);
        fixture.close();
    }

    @Test
    void aReadAfterTheCloseIsToldThatTheServerStopsNotThatSomethingIsDamaged() {
        StoreFixture fixture = new StoreFixture(new SimulatedFiles(2), DATA);
        PartitionLog log = fixture.create(SMALL);
        persist(log);
        fixture.close();
        refused(ErrorCode.SHUTTING_DOWN, () -> log.read(0, 1, 1, Visibility.TOPIC));
        refused(ErrorCode.SHUTTING_DOWN, () -> log.offsetAt(0, Visibility.TOPIC));
    }

    @Test
    void makingNoPartitionNeedsNoDisk() {
        FaultyFiles files = new FaultyFiles(new SimulatedFiles(3));
        StoreFixture fixture = new StoreFixture(files, DATA);
        SegmentStore store = fixture.store();
        files.failFrom(Call.SYNC_DIRECTORY, path -> true, 1, () -> new IOException("EIO"));
        assertThatCode(() -> store.prepare(List.of())).doesNotThrowAnyException();
        files.heal();
        fixture.close();
    }

    @Test
    void aLogThatIsOpenedWhileTheStoreStopsTakesNothing() {
        StoreFixture fixture = new StoreFixture(new SimulatedFiles(4), DATA);
        PartitionSpec spec = fixture.newSpec(SMALL);
        fixture.store().prepare(List.of(spec));
        assertThat(fixture.store().drain(soon())).isEmpty();
        fixture.store().open(List.of(spec));
        PartitionLog log = fixture.store().find(spec.ref());
        refused(ErrorCode.SHUTTING_DOWN, () -> log.append(TestBatches.batch(1, 10), soon()));
        fixture.close();
    }

    @Test
    void aRecoveryThatTheDiskStopsIsReportedAndTriedAgainByTheNextStart() {
        SimulatedFiles machine = new SimulatedFiles(5);
        FaultyFiles files = new FaultyFiles(machine);
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog log = fixture.create(SMALL);
        log.append(TestBatches.batch(1, 100), soon());
        fixture.close();
        files.fail(Call.SYNC, path -> path.toString().endsWith(".log"), 1, () -> new IOException("EIO"));
        assertThat(fixture.store().find(log.spec().ref()).status().state()).isEqualTo(LogStatus.State.DAMAGED);
        assertThat(fixture.reports).singleElement().satisfies(report -> {
            assertThat(report.action()).isEqualTo(RecoveryReport.Action.REFUSED);
            assertThat(report.partition()).isEqualTo(log.spec().ref());
        });
        files.heal();
        fixture.restart();
        assertThat(fixture.store().find(log.spec().ref()).status().endOffset()).isEqualTo(1);
        fixture.close();
    }

    @Test
    void whoStillWorksOnADeletedLogNeverTouchesTheNextLifeInItsPlace() throws Exception {
        FaultyFiles files = new FaultyFiles(new SimulatedFiles(6));
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog old = fixture.create(SMALL);
        while (old.status().segments() < 3) {
            persist(old);
        }
        Path first = fixture.directory(old).resolve("00000000000000000000.log");
        FaultyFiles.Hold hold = files.hold(Call.DELETE, first::equals);
        Thread retention =
                Thread.ofPlatform().start(() -> old.deleteSegments(old.status().endOffset(), RETENTION));
        hold.awaitArrival();
        PartitionSpec next = new PartitionSpec(old.spec().ref(), 77, SMALL);
        SegmentStore store = fixture.store();
        store.prepare(List.of(next));
        Thread purge = Thread.ofPlatform().start(() -> store.open(List.of(next)));
        Deadline deadline = soon();
        while (purge.isAlive() && purge.getState() != Thread.State.WAITING && !deadline.passed()) {
            Thread.onSpinWait();
        }
        hold.release();
        retention.join();
        purge.join();
        assertThat(files.exists(first)).isTrue();
        persist(store.find(next.ref()));
        fixture.close();
    }

    @Test
    void whatWasPersistedAndIsGoneIsDamageBecauseTheFrameBehindItSaysSo() throws IOException {
        SimulatedFiles machine = new SimulatedFiles(7);
        StoreFixture fixture = new StoreFixture(machine, DATA);
        PartitionLog log = fixture.create(LogOptions.defaults(Durability.PERSISTED));
        persist(log);
        persist(log);
        log.append(TestBatches.batch(1, 100), soon());
        fixture.close();
        Path file = fixture.directory(log).resolve("00000000000000000000.log");
        int frame = FrameLayout.frameLength(RecordLayout.HEADER_BYTES + 100);
        try (StoreFile out = machine.open(file, FileLayer.Mode.READ_WRITE)) {
            out.write(MemorySegment.ofArray(new byte[frame]), SegmentHeader.FIRST_FRAME_POSITION + frame);
            out.syncData();
        }
        LogStatus status = fixture.store().find(log.spec().ref()).status();
        assertThat(status.state()).isEqualTo(LogStatus.State.DAMAGED);
        assertThat(fixture.reports).isNotEmpty();
        fixture.close();
    }

    @Test
    void segmentsStayAsLongAsOnlyTheyKnowAProducer() {
        FaultyFiles files = new FaultyFiles(new SimulatedFiles(8));
        StoreFixture fixture = new StoreFixture(files, DATA);
        PartitionLog log = fixture.create(SMALL);
        files.failFrom(Call.CREATE, path -> path.endsWith("producers.new"), 1, () -> new IOException("EIO"));
        long sequence = 0;
        while (log.status().segments() < 4) {
            sequence = persistStamped(log, sequence);
        }
        assertThat(log.deleteSegments(log.status().endOffset(), RETENTION)).isEmpty();
        files.heal();
        Deadline deadline = soon();
        while (log.deleteSegments(log.status().endOffset(), RETENTION).isEmpty()) {
            assertThat(deadline.passed()).isFalse();
            sequence = persistStamped(log, sequence);
        }
        fixture.close();
    }

    private static long persistStamped(PartitionLog log, long sequence) {
        var batch = TestBatches.stamped(sequence, List.of(TestBatches.record(sequence + 1, new byte[500])));
        log.tail().awaitPersisted(log.append(batch, soon()).endOffset(), soon());
        return sequence + 1;
    }
}
