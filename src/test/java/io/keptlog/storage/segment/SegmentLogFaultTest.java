// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.StoreObserver.SyncReason;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FaultyFiles.Event;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.file.NoSpaceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a log does when its disk is slow, full or broken, and in which order it calls it. */
class SegmentLogFaultTest {
    private static final LogOptions PERSISTED = LogOptions.defaults(Durability.PERSISTED);
    private static final LogOptions REPLICATED = LogOptions.defaults(Durability.REPLICATED);
    private static final Predicate<Path> LOGS = path -> path.toString().endsWith(".log");

    @TempDir
    Path directory;

    private FaultyFiles files;
    private StoreFixture fixture;

    @BeforeEach
    void open() {
        files = new FaultyFiles(FileLayers.system());
        fixture = new StoreFixture(files, directory.resolve("data"));
        fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
    }

    @AfterEach
    void close() {
        files.heal();
        fixture.close();
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(20));
    }

    private static LogOptions small(Durability durability) {
        return new LogOptions(4096, durability, 1024, 1 << 20, false);
    }

    private static Appended append(PartitionLog log, int payloadBytes) {
        return log.append(TestBatches.batch(1, payloadBytes), soon());
    }

    private static Appended appendPersisted(PartitionLog log, int payloadBytes) {
        Appended appended = append(log, payloadBytes);
        log.tail().awaitPersisted(appended.endOffset(), soon());
        return appended;
    }

    private static int count(PartitionLog log) {
        try (Slice slice = log.read(0, 1_000_000, 1L << 40, Visibility.TOPIC)) {
            return TestBatches.messages(slice).size();
        }
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(code));
    }

    private static void until(BooleanSupplier condition) {
        Deadline deadline = soon();
        while (!condition.getAsBoolean()) {
            if (deadline.passed()) {
                throw new AssertionError("did not become true in time");
            }
            Thread.onSpinWait();
        }
    }

    private static <T> T untilAccepted(Callable<T> call) throws Exception {
        Deadline deadline = soon();
        while (true) {
            try {
                return call.call();
            } catch (KeptlogException e) {
                if (e.code() != ErrorCode.NO_SPACE || deadline.passed()) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Waits until the preparer has done what the last append made due. */
    private void untilQuiet() {
        Deadline deadline = soon();
        int before = -1;
        long since = System.nanoTime();
        while (System.nanoTime() - since < 300_000_000L) {
            int now = files.events().size();
            if (now != before) {
                before = now;
                since = System.nanoTime();
            }
            if (deadline.passed()) {
                throw new AssertionError("the store never comes to rest");
            }
            Thread.onSpinWait();
        }
    }

    private List<Call> callsOnDisk() {
        return files.events().stream()
                .map(Event::call)
                .filter(call -> call == Call.WRITE || call == Call.SYNC || call == Call.SYNC_DIRECTORY)
                .toList();
    }

    @Test
    void aPersistedAckCostsOneWriteAndThenOneSyncOfOneFile() {
        PartitionLog log = fixture.create(PERSISTED);
        appendPersisted(log, 100);
        untilQuiet();
        for (int i = 0; i < 5; i++) {
            files.clearEvents();
            appendPersisted(log, 100);
            // A checkpoint may be written meanwhile: it is nobody's wait.
            assertThat(files.events().stream()
                            .filter(event -> LOGS.test(event.path()))
                            .map(Event::call))
                    .startsWith(Call.WRITE, Call.SYNC)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aReplicatedAckWaitsForNoSync() {
        PartitionLog log = fixture.create(new LogOptions(8192, Durability.REPLICATED, 1, 0, false));
        FaultyFiles.Hold hold = files.hold(Call.SYNC, LOGS);
        FaultyFiles.Hold names = files.hold(Call.SYNC_DIRECTORY, path -> true);
        for (int i = 0; i < 100; i++) {
            Appended appended = append(log, 1000);
            log.tail().awaitReplicated(appended.endOffset(), soon());
        }
        assertThat(fixture.counts.rolls.get()).isGreaterThan(5);
        assertThat(count(log)).isEqualTo(100);
        assertThat(log.tail().persistedEnd()).isZero();
        assertThat(log.status().atRisk().messages()).isEqualTo(100);
        hold.release();
        names.release();
        log.tail().awaitPersisted(100, soon());
        assertThat(log.status().atRisk().messages()).isZero();
    }

    static List<Throwable> failures() {
        return List.of(
                new IOException("EIO"),
                new UncheckedIOException(new IOException("EIO")),
                new InternalError("a fault occurred in an unsafe memory access"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailedSyncFencesForGood(Throwable failure) {
        PartitionLog log = fixture.create(PERSISTED);
        appendPersisted(log, 100);
        untilQuiet();
        files.failNext(Call.SYNC, () -> failure);
        Appended lost = append(log, 100);
        refused(ErrorCode.SYNC_FAILED, () -> log.tail().awaitPersisted(lost.endOffset(), soon()));
        files.clearEvents();
        refused(ErrorCode.PARTITION_FENCED, () -> append(log, 100));
        refused(ErrorCode.SYNC_FAILED, () -> log.tail().awaitPersisted(lost.endOffset(), soon()));
        log.tail().kick();
        untilQuiet();
        assertThat(files.count(Call.SYNC, LOGS)).as("no second try").isZero();
        assertThat(log.tail().persistedEnd()).isEqualTo(1);
        assertThat(log.status().state()).isEqualTo(LogStatus.State.FENCED);
        assertThat(log.status().visibleEnd()).isEqualTo(1);
        assertThat(count(log)).as("reads go on").isEqualTo(1);
        assertThat(fixture.store().faults()).singleElement().satisfies(fault -> assertThat(fault.component())
                .contains("0/0/0"));
        assertThat(fixture.counts.fenced).hasSize(1);
    }

    @Test
    void aFailedSyncOfThePreparerFencesAsWell() {
        PartitionLog log = fixture.create(PERSISTED);
        files.failFrom(Call.SYNC, LOGS, 1, () -> new IOException("EIO"));
        append(log, 100);
        until(() -> log.status().state() == LogStatus.State.FENCED);
        assertThat(log.tail().persistedEnd()).isZero();
    }

    @Test
    void anotherPartitionIsNotHeldUpByASlowRoll() {
        PartitionLog slow = fixture.create(small(Durability.PERSISTED));
        PartitionLog other = fixture.create(PERSISTED);
        Path slowDirectory = fixture.directory(slow);
        // The rename of the next segment alone: the list of epochs and indexes get their names from other threads.
        Predicate<Path> roll =
                path -> path.startsWith(slowDirectory) && path.toString().endsWith(".log");
        FaultyFiles.Hold hold = files.hold(Call.RENAME, roll);
        Thread stuck = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 10; i++) {
                append(slow, 1000);
            }
        });
        until(() -> files.count(Call.RENAME, roll) > 0);
        for (int i = 0; i < 20; i++) {
            appendPersisted(other, 100);
        }
        refused(ErrorCode.TRANSIENT_NOT_ACCEPTED, () -> slow.append(TestBatches.batch(1, 10), Deadline.inMillis(50)));
        hold.release();
        until(() -> slow.status().endOffset() == 10);
        assertThat(stuck.isInterrupted()).isFalse();
    }

    @Test
    void nameAndOlderSegmentsAreOnStableStorageBeforeTheFirstPersistedAckInANewOne() {
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        appendPersisted(log, 3000);
        untilQuiet();
        files.clearEvents();
        Appended second = append(log, 3000);
        log.tail().awaitPersisted(second.endOffset(), soon());
        List<Event> events = files.events();
        Path newest = fixture.directory(log).resolve("00000000000000000001.log");
        Path oldest = fixture.directory(log).resolve("00000000000000000000.log");
        int renamed = indexOf(events, Call.RENAME, newest);
        int oldSynced = indexOf(events, Call.SYNC, oldest);
        // The descriptor was opened under the temporary name: its path may still say so. The preparer syncs it as well,
        // so the last one.
        Path prepared = fixture.directory(log).resolve("next.tmp");
        int newSynced = Math.max(lastIndexOf(events, Call.SYNC, newest), lastIndexOf(events, Call.SYNC, prepared));
        int namesSynced = indexOf(events, Call.SYNC_DIRECTORY, fixture.directory(log));
        assertThat(renamed).isNotNegative();
        assertThat(oldSynced).isBetween(renamed, newSynced);
        assertThat(namesSynced).isGreaterThan(renamed);
    }

    private static int lastIndexOf(List<Event> events, Call call, Path path) {
        int fromTheEnd = indexOf(events.reversed(), call, path);
        return fromTheEnd < 0 ? -1 : events.size() - 1 - fromTheEnd;
    }

    private static int indexOf(List<Event> events, Call call, Path path) {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).call() == call && events.get(i).path().equals(path)) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void aFullDiskRefusesWithoutFencingAndWritesResumeByThemselves() throws Exception {
        PartitionLog log = fixture.create(REPLICATED);
        append(log, 100);
        untilQuiet();
        files.failFrom(Call.ALLOCATE, path -> true, 1, () -> new NoSpaceException("ENOSPC"));
        int stored = 1;
        try {
            while (stored < 10_000) {
                append(log, 1000);
                stored++;
            }
        } catch (KeptlogException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE);
        }
        assertThat(stored).isLessThan(10_000);
        refused(ErrorCode.NO_SPACE, () -> append(log, 100_000));
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        assertThat(count(log)).isEqualTo(stored);
        assertThat(fixture.counts.noSpace.get()).isPositive();
        files.heal();
        Appended after = untilAccepted(() -> append(log, 1000));
        assertThat(after.baseOffset()).isEqualTo(stored);
        assertThat(count(log)).isEqualTo(stored + 1);
    }

    @Test
    void aFullDiskAtARollRefusesAndResumes() throws Exception {
        PartitionLog log = fixture.create(small(Durability.PERSISTED));
        appendPersisted(log, 10);
        untilQuiet();
        files.failFrom(Call.CREATE, path -> path.endsWith("next.tmp"), 1, () -> new NoSpaceException("ENOSPC"));
        appendPersisted(log, 3000);
        refused(ErrorCode.NO_SPACE, () -> append(log, 3000));
        appendPersisted(log, 10);
        files.heal();
        Appended after = untilAccepted(() -> append(log, 3000));
        assertThat(after.baseOffset()).isEqualTo(3);
        log.tail().awaitPersisted(4, soon());
        assertThat(count(log)).isEqualTo(4);
    }

    @Test
    void aWriteThatMeetsAFullDiskLeavesNothingBehind() {
        PartitionLog log = fixture.create(REPLICATED);
        append(log, 100);
        untilQuiet();
        files.failWriteAfter(2000, LOGS, 1, () -> new NoSpaceException("ENOSPC"));
        refused(ErrorCode.NO_SPACE, () -> append(log, 4000));
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        append(log, 10);
        assertThat(count(log)).isEqualTo(2);
        fixture.restart();
        PartitionLog again = fixture.store().find(log.spec().ref());
        assertThat(count(again)).isEqualTo(2);
        assertThat(fixture.reports).isEmpty();
    }

    @Test
    void whatAFailedWriteCouldNotClearIsClearedBeforeTheNextFrame() {
        PartitionLog log = fixture.create(REPLICATED);
        append(log, 100);
        untilQuiet();
        files.failWriteAfter(2000, LOGS, 1, () -> new NoSpaceException("ENOSPC"));
        files.fail(Call.WRITE, LOGS, 3, () -> new NoSpaceException("ENOSPC"));
        refused(ErrorCode.NO_SPACE, () -> append(log, 4000));
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        append(log, 10);
        fixture.restart();
        assertThat(count(fixture.store().find(log.spec().ref()))).isEqualTo(2);
        assertThat(fixture.reports).isEmpty();
    }

    @Test
    void aBrokenWriteFencesAndIsNotStored() {
        PartitionLog log = fixture.create(REPLICATED);
        append(log, 100);
        untilQuiet();
        files.failWriteAfter(2000, LOGS, 1, () -> new IOException("EIO"));
        refused(ErrorCode.PARTITION_FENCED, () -> append(log, 4000));
        assertThat(log.status().state()).isEqualTo(LogStatus.State.FENCED);
        assertThat(count(log)).isEqualTo(1);
        fixture.restart();
        PartitionLog again = fixture.store().find(log.spec().ref());
        assertThat(count(again)).isEqualTo(1);
        assertThat(append(again, 10).baseOffset()).isEqualTo(1);
    }

    @Test
    void aBrokenWriteThatCannotBeTakenBackIsOfUnknownOutcome() {
        PartitionLog log = fixture.create(REPLICATED);
        append(log, 100);
        untilQuiet();
        files.failFrom(Call.WRITE, LOGS, 1, () -> new IOException("EIO"));
        refused(ErrorCode.SYNC_FAILED, () -> append(log, 4000));
        refused(ErrorCode.PARTITION_FENCED, () -> append(log, 10));
    }

    @Test
    void anAppendThatWaitsForSpaceIsNotStoredAtItsDeadline() {
        PartitionLog log = fixture.create(REPLICATED);
        FaultyFiles.Hold hold = files.hold(Call.ALLOCATE, path -> true);
        append(log, 10);
        refused(
                ErrorCode.TRANSIENT_NOT_ACCEPTED,
                () -> log.append(TestBatches.batch(1, 100_000), Deadline.inMillis(100)));
        append(log, 10);
        hold.release();
        append(log, 100_000);
        assertThat(count(log)).isEqualTo(3);
    }

    @Test
    void backgroundSyncsAreMadeByCountBytesAndAge() {
        fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(60_000);
        PartitionLog byCount = fixture.create(new LogOptions(1 << 20, Durability.REPLICATED, 10, 1 << 20, false));
        for (int i = 0; i < 10; i++) {
            append(byCount, 10);
        }
        until(() -> byCount.tail().persistedEnd() == 10);
        assertThat(fixture.counts.syncs).contains(SyncReason.MESSAGES);
        PartitionLog byBytes = fixture.create(new LogOptions(1 << 20, Durability.REPLICATED, 1000, 2000, false));
        append(byBytes, 5000);
        until(() -> byBytes.tail().persistedEnd() == 1);
        assertThat(fixture.counts.syncs).contains(SyncReason.BYTES);
        fixture.settings = SegmentStoreSettings.defaults().withFlushAgeMillis(50);
        fixture.restart();
        PartitionLog byAge = fixture.create(REPLICATED);
        append(byAge, 10);
        until(() -> byAge.tail().persistedEnd() == 1);
        assertThat(fixture.counts.syncs).contains(SyncReason.AGE);
    }

    @Test
    void aDeadlineBeforeTheSyncEndsIsAnUnknownOutcome() {
        PartitionLog log = fixture.create(PERSISTED);
        appendPersisted(log, 10);
        untilQuiet();
        FaultyFiles.Hold hold = files.hold(Call.SYNC, LOGS);
        Appended appended = append(log, 10);
        refused(ErrorCode.PRODUCE_TIMEOUT, () -> log.tail()
                .awaitPersisted(appended.endOffset(), Deadline.inMillis(50)));
        assertThat(log.status().visibleEnd())
                .as("not shown before it is synced")
                .isEqualTo(1);
        hold.release();
        log.tail().awaitPersisted(appended.endOffset(), soon());
        assertThat(log.status().visibleEnd()).isEqualTo(2);
    }

    @Test
    void aFlippedBitIsNamedAndWhatIsAroundItIsServed() throws Exception {
        PartitionLog log = fixture.create(REPLICATED);
        for (int i = 0; i < 3; i++) {
            append(log, 1000);
        }
        Path file = fixture.directory(log).resolve("00000000000000000000.log");
        try (var opened = FileLayers.system().open(file, io.keptlog.storage.file.FileLayer.Mode.READ_WRITE)) {
            long second = 4096 + (96 + 44 + 1000 + 7) / 8 * 8;
            opened.write(java.lang.foreign.MemorySegment.ofArray(new byte[] {1}), second + 96 + 500);
        }
        try (Slice slice = log.read(0, 10, 1 << 20, Visibility.TOPIC)) {
            assertThat(slice.count()).isEqualTo(1);
        }
        assertThatThrownBy(() -> log.read(1, 10, 1 << 20, Visibility.TOPIC))
                .isInstanceOfSatisfying(KeptlogException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_DAMAGED);
                    assertThat(e.reason()).contains("from offset 1 to 2");
                });
        try (Slice slice = log.read(2, 10, 1 << 20, Visibility.TOPIC)) {
            assertThat(slice.count()).isEqualTo(1);
        }
        assertThat(fixture.store().faults()).hasSize(1);
    }
}
