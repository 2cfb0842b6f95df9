// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.TestBatches.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store's partition log does. */
public abstract class PartitionLogContract {
    protected static final int ALL = Integer.MAX_VALUE;
    protected static final LogOptions REPLICATED = LogOptions.defaults(Durability.REPLICATED);
    protected static final LogOptions PERSISTED = LogOptions.defaults(Durability.PERSISTED);

    /** A new, empty partition; each call another one. */
    protected abstract PartitionLog create(LogOptions options);

    /** Deletes the partition of this log for good. */
    protected abstract void delete(PartitionLog log);

    protected static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(20));
    }

    protected static LogOptions small(Durability durability) {
        return new LogOptions(4096, durability, 1024, 1 << 20, false);
    }

    protected static Appended append(PartitionLog log, List<byte[]> records) {
        return log.append(TestBatches.batch(records), soon());
    }

    protected static List<Read> read(
            PartitionLog log, long from, int maxMessages, long maxBytes, Visibility visibility) {
        try (Slice slice = log.read(from, maxMessages, maxBytes, visibility)) {
            return TestBatches.messages(slice);
        }
    }

    protected static List<Read> readAll(PartitionLog log) {
        List<Read> all = new ArrayList<>();
        long from = log.status().firstOffset();
        while (true) {
            List<Read> some = read(log, from, 1000, 1 << 20, Visibility.TOPIC);
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            from = some.getLast().offset() + 1;
        }
    }

    @Test
    void aNewLogIsEmptyAndBeginsAtZero() {
        PartitionLog log = create(REPLICATED);
        LogStatus status = log.status();
        assertThat(status.firstOffset()).isZero();
        assertThat(status.endOffset()).isZero();
        assertThat(status.visibleEnd()).isZero();
        assertThat(status.segments()).isEqualTo(1);
        assertThat(status.sizeBytes()).isZero();
        assertThat(status.state()).isEqualTo(LogStatus.State.OPEN);
        try (Slice slice = log.read(0, 10, 1000, Visibility.TOPIC)) {
            assertThat(slice.count()).isZero();
            assertThat(slice.startOffset()).isZero();
            assertThat(slice.gap()).isNull();
        }
        assertThat(log.sealedSegments()).isEmpty();
    }

    @Test
    void offsetsCountOnFromBatchToBatch() {
        PartitionLog log = create(REPLICATED);
        Appended first = log.append(TestBatches.batch(3, 10), soon());
        Appended second = log.append(TestBatches.batch(2, 10), soon());
        assertThat(first.baseOffset()).isZero();
        assertThat(first.endOffset()).isEqualTo(3);
        assertThat(second.baseOffset()).isEqualTo(3);
        assertThat(second.endOffset()).isEqualTo(5);
        assertThat(log.status().messages()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void aReadReturnsExactlyWhatWasAppended(Durability durability) {
        long seed = System.nanoTime();
        System.out.println("aReadReturnsExactlyWhatWasAppended seed " + seed);
        Random random = new Random(seed);
        PartitionLog log = create(small(durability));
        List<Read> expected = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            List<byte[]> records = TestBatches.randomRecords(random, 20, random.nextInt(10) == 0 ? 3000 : 200);
            Appended appended = append(log, records);
            assertThat(appended.baseOffset()).isEqualTo(expected.size());
            for (byte[] one : records) {
                expected.add(new Read(expected.size(), TestBatches.text(one)));
            }
            if (durability == Durability.PERSISTED) {
                log.tail().awaitPersisted(appended.endOffset(), soon());
            }
            pollAtRandom(log, random, expected);
        }
        assertThat(readAll(log)).isEqualTo(expected);
        assertThat(log.status().segments()).isGreaterThan(10);
    }

    private static void pollAtRandom(PartitionLog log, Random random, List<Read> expected) {
        int from = random.nextInt(expected.size() + 1);
        int maxMessages = 1 + random.nextInt(100);
        long maxBytes = random.nextInt(5000);
        List<Read> some = read(log, from, maxMessages, maxBytes, Visibility.TOPIC);
        if (from == expected.size()) {
            assertThat(some).isEmpty();
            return;
        }
        assertThat(some).isNotEmpty().hasSizeLessThanOrEqualTo(maxMessages);
        assertThat(some).isEqualTo(expected.subList(from, from + some.size()));
        long bytesBeforeLast = some.subList(0, some.size() - 1).stream()
                .mapToLong(one ->
                        Long.parseLong(one.record().substring(0, one.record().indexOf(':'))))
                .sum();
        assertThat(bytesBeforeLast == 0 || bytesBeforeLast < maxBytes).isTrue();
        if (some.size() < maxMessages && from + some.size() < expected.size()) {
            long bytes = some.stream()
                    .mapToLong(one -> Long.parseLong(
                            one.record().substring(0, one.record().indexOf(':'))))
                    .sum();
            assertThat(bytes).isGreaterThanOrEqualTo(maxBytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 100_000, 3_000_000})
    void aMessageLargerThanASegmentIsStoredAndReadBack(int payloadBytes) {
        PartitionLog log = create(small(Durability.REPLICATED));
        byte[] large = new byte[payloadBytes];
        new Random(payloadBytes).nextBytes(large);
        List<byte[]> records = List.of(TestBatches.record(7, large));
        log.append(TestBatches.batch(2, 10), soon());
        append(log, records);
        log.append(TestBatches.batch(2, 10), soon());
        List<Read> all = readAll(log);
        assertThat(all).hasSize(5);
        assertThat(all.get(2)).isEqualTo(new Read(2, TestBatches.text(records.getFirst())));
        assertThat(read(log, 2, 10, 1, Visibility.TOPIC)).as("returned alone").hasSize(1);
    }

    @Test
    void readersOfAPersistedTopicSeeOnlyWhatIsPersisted() {
        PartitionLog log = create(PERSISTED);
        Appended appended = log.append(TestBatches.batch(3, 10), soon());
        Evidence evidence = log.tail().awaitPersisted(appended.endOffset(), soon());
        assertThat(evidence.durability()).isEqualTo(Durability.PERSISTED);
        assertThat(log.tail().persistedEnd()).isEqualTo(3);
        assertThat(log.status().visibleEnd()).isEqualTo(3);
        assertThat(read(log, 0, 10, 1000, Visibility.TOPIC)).hasSize(3);
    }

    @Test
    void aReplicatedTopicIsReadableAtOnceAndCanBePersistedLater() {
        PartitionLog log = create(REPLICATED);
        Appended appended = log.append(TestBatches.batch(3, 10), soon());
        assertThat(log.tail().awaitReplicated(3, soon()).durability()).isNotNull();
        assertThat(read(log, 0, 10, 1000, Visibility.TOPIC)).hasSize(3);
        log.tail().awaitPersisted(appended.endOffset(), soon());
        assertThat(read(log, 0, 10, 1000, Visibility.PERSISTED)).hasSize(3);
    }

    @Test
    void timestampsFindTheFirstMessageAppendedAtOrAfterThem() throws Exception {
        PartitionLog log = create(small(Durability.REPLICATED));
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            log.append(TestBatches.batch(2, 100), soon());
            TimeUnit.MICROSECONDS.sleep(50);
        }
        for (int i = 0; i < 100; i++) {
            try (Slice slice = log.read(2L * i, 1, 1, Visibility.TOPIC)) {
                times.add(slice.runs().getFirst().appendTimeMicros());
            }
        }
        assertThat(times).isSorted();
        for (int i = 0; i < 100; i++) {
            int firstAt = times.indexOf(times.get(i));
            assertThat(log.offsetAt(times.get(i), Visibility.TOPIC)).isEqualTo(2L * firstAt);
        }
        assertThat(log.offsetAt(0, Visibility.TOPIC)).isZero();
        assertThat(log.offsetAt(times.getLast() + 1, Visibility.TOPIC)).isEqualTo(200);
        assertThat(log.offsetAt(-1, Visibility.TOPIC))
                .as("unsigned: far in the future")
                .isEqualTo(200);
    }

    @Test
    void deletedSegmentsLeaveAGapAndTheEndStays() {
        PartitionLog log = create(small(Durability.REPLICATED));
        for (int i = 0; i < 50; i++) {
            log.append(TestBatches.batch(5, 200), soon());
        }
        log.tail().awaitPersisted(250, soon());
        List<SealedSegment> sealed = log.sealedSegments();
        assertThat(sealed).hasSizeGreaterThan(5);
        assertThat(sealed.getFirst().baseOffset()).isZero();
        SealedSegment third = sealed.get(2);
        List<SealedSegment> gone = log.deleteSegments(third.endOffset() + 1, Gap.Reason.DELETION);
        assertThat(gone).isEqualTo(sealed.subList(0, 3));
        LogStatus status = log.status();
        assertThat(status.firstOffset()).isEqualTo(third.endOffset());
        assertThat(status.endOffset()).isEqualTo(250);
        try (Slice slice = log.read(1, 10, 10_000, Visibility.TOPIC)) {
            assertThat(slice.gap()).isEqualTo(new Gap(1, third.endOffset(), Gap.Reason.DELETION));
            assertThat(slice.startOffset()).isEqualTo(third.endOffset());
            assertThat(slice.count()).isEqualTo(10);
        }
        log.deleteSegments(Long.MAX_VALUE, Gap.Reason.RETENTION);
        assertThat(log.status().segments()).as("the active one stays").isGreaterThanOrEqualTo(1);
        assertThat(log.status().endOffset()).isEqualTo(250);
        assertThat(log.append(TestBatches.batch(1, 1), soon()).baseOffset()).isEqualTo(250);
    }

    @Test
    void aDeletedLogAnswersNotFound() {
        PartitionLog log = create(REPLICATED);
        log.append(TestBatches.batch(1, 10), soon());
        delete(log);
        assertThatThrownBy(() -> log.append(TestBatches.batch(1, 10), soon()))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_NOT_FOUND));
        assertThatThrownBy(() -> log.read(0, 1, 1, Visibility.TOPIC))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_NOT_FOUND));
    }

    private static long visibleEnd(PartitionLog log, Visibility visibility) {
        try (Slice slice = log.read(0, 1, 1, visibility)) {
            return slice.endOffset();
        }
    }

    /** Someone who waits for the end to lie beyond this; the wait has begun when this returns. */
    private static Future<Long> waiter(ExecutorService pool, PartitionLog log, long known, Visibility visibility) {
        TailWatch watch = log.watch(visibility);
        CountDownLatch looked = new CountDownLatch(1);
        Future<Long> end = pool.submit(() -> watch.awaitBeyond(
                known,
                () -> {
                    long now = visibleEnd(log, visibility);
                    looked.countDown();
                    return now;
                },
                soon()));
        try {
            assertThat(looked.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return end;
    }

    @Test
    void whoeverWaitsForMoreIsWokenByAnAppend() throws Exception {
        PartitionLog log = create(REPLICATED);
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 50; round++) {
                List<Future<Long>> waiters = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    waiters.add(waiter(pool, log, round, Visibility.TOPIC));
                }
                log.append(TestBatches.batch(1, 10), soon());
                for (Future<Long> waiter : waiters) {
                    assertThat(waiter.get(20, TimeUnit.SECONDS)).isEqualTo(round + 1);
                }
            }
        }
        assertThat(log.watch(Visibility.TOPIC).isWatched()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void whoeverWaitsForWhatIsPersistedIsWokenWhenItIs(Durability durability) throws Exception {
        PartitionLog log = create(LogOptions.defaults(durability));
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                Future<Long> waiter = waiter(pool, log, round, Visibility.PERSISTED);
                long end = log.append(TestBatches.batch(1, 10), soon()).endOffset();
                log.tail().awaitPersisted(end, soon());
                assertThat(waiter.get(20, TimeUnit.SECONDS)).isEqualTo(end);
            }
        }
    }

    @Test
    void noWakeUpIsLostBetweenALookAndASleep() throws Exception {
        PartitionLog log = create(REPLICATED);
        int appends = 2000;
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(pool.submit(() -> {
                    long seen = 0;
                    Deadline deadline = Deadline.in(Duration.ofSeconds(60));
                    while (seen < appends && !deadline.passed()) {
                        seen = log.watch(Visibility.TOPIC)
                                .awaitBeyond(seen, () -> visibleEnd(log, Visibility.TOPIC), deadline);
                    }
                    return seen;
                }));
            }
            for (int i = 0; i < appends; i++) {
                log.append(TestBatches.batch(1, 10), soon());
            }
            for (Future<Long> reader : readers) {
                assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(appends);
            }
        }
    }

    @Test
    void whoeverWaitsIsWokenWhenTheLogIsDeleted() throws Exception {
        PartitionLog log = create(REPLICATED);
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> waiter = waiter(pool, log, 0, Visibility.TOPIC);
            delete(log);
            assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(KeptlogException.class)
                    .cause()
                    .extracting(e -> ((KeptlogException) e).code())
                    .isEqualTo(ErrorCode.PARTITION_NOT_FOUND);
        }
    }

    @Test
    void manyWritersGetOffsetsWithoutHolesAndReadersSeeEachMessageOnce() throws Exception {
        PartitionLog log = create(new LogOptions(64 << 10, Durability.PERSISTED, 1024, 1 << 20, false));
        int writers = 16;
        int batches = 60;
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch go = new CountDownLatch(1);
            for (int w = 0; w < writers; w++) {
                all.add(threads.submit(() -> {
                    go.await();
                    for (int i = 0; i < batches; i++) {
                        Appended appended = log.append(TestBatches.batch(2, 300), soon());
                        log.tail().awaitPersisted(appended.endOffset(), soon());
                        assertThat(log.status().visibleEnd()).isGreaterThanOrEqualTo(appended.endOffset());
                        assertThat(read(log, appended.baseOffset(), 2, 10_000, Visibility.TOPIC))
                                .hasSize(2);
                    }
                    return null;
                }));
            }
            go.countDown();
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        List<Read> stored = readAll(log);
        assertThat(stored).hasSize(writers * batches * 2);
        for (int i = 0; i < stored.size(); i++) {
            assertThat(stored.get(i).offset()).isEqualTo(i);
        }
    }

    /** Every interrupt that a caller can get, all the time: nothing is closed, lost or doubled. */
    @Test
    void aStormOfInterruptsChangesNothing() throws Exception {
        PartitionLog log = create(new LogOptions(16 << 10, Durability.PERSISTED, 1024, 1 << 20, false));
        int writers = 8;
        int batches = 100;
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int w = 0; w < writers; w++) {
            boolean virtual = w % 2 == 0;
            Runnable writer = () -> {
                try {
                    for (int i = 0; i < batches; i++) {
                        Appended appended = log.append(TestBatches.batch(2, 300), soon());
                        log.tail().awaitPersisted(appended.endOffset(), soon());
                        assertThat(read(log, appended.baseOffset(), 2, 10_000, Visibility.TOPIC))
                                .hasSize(2);
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            };
            threads.add((virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(writer));
        }
        Thread storm = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                threads.forEach(Thread::interrupt);
                Thread.onSpinWait();
            }
        });
        for (Thread one : threads) {
            one.join(Duration.ofSeconds(60));
        }
        over.set(true);
        storm.join();
        assertThat(failures).isEmpty();
        assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
        assertThat(readAll(log)).hasSize(writers * batches * 2);
    }

    /** Lessons 19: each reader gets its messages or "not found", and no memory is touched that is gone. */
    @Test
    void deletingALogUnderSixtyFourReadersGivesEachItsOwnAnswer() throws Exception {
        PartitionLog log = create(small(Durability.REPLICATED));
        List<byte[]> records = List.of(TestBatches.record(1, new byte[500]), TestBatches.record(2, new byte[500]));
        List<String> texts = records.stream().map(TestBatches::text).toList();
        for (int i = 0; i < 100; i++) {
            append(log, records);
        }
        CountDownLatch reading = new CountDownLatch(64);
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int r = 0; r < 64; r++) {
                int start = r;
                all.add(threads.submit(() -> {
                    for (int from = start; ; from = (from + 7) % 200) {
                        try (Slice slice = log.read(from, 20, 1 << 20, Visibility.TOPIC)) {
                            for (Read one : TestBatches.messages(slice)) {
                                assertThat(one.record()).isEqualTo(texts.get((int) (one.offset() % 2)));
                            }
                        } catch (KeptlogException e) {
                            assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_NOT_FOUND);
                            return;
                        }
                        reading.countDown();
                    }
                }));
            }
            assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
            delete(log);
            for (Future<?> one : all) {
                one.get(20, TimeUnit.SECONDS);
            }
        }
    }
}
