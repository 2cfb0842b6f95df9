// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One sync at a time, each for everyone who waits when it begins; the first failure is the last sync. */
class SyncOwnerTest {
    private static final Deadline FAR = Deadline.in(Duration.ofSeconds(20));

    private final List<SyncReason> reasons = java.util.Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger fences = new AtomicInteger();
    private final SyncPool pool =
            new SyncPool(4, Thread.ofPlatform().daemon().name("sync-", 0).factory(), 10_000, new StoreObserver() {
                @Override
                public void synced(SyncReason reason, long nanos, int waitersReleased, boolean failed) {
                    reasons.add(reason);
                }

                @Override
                public void fenced(String component) {
                    fences.incrementAndGet();
                }
            });
    private final FakeLog log = new FakeLog();
    private final SyncOwner owner = new SyncOwner(log, pool, 0);
    private final java.util.concurrent.ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        log.gate.release(1_000_000);
        callers.close();
        pool.close();
    }

    private Future<SyncOutcome> waitFor(long end) {
        return callers.submit(() -> owner.await(end, SyncReason.ACK, FAR));
    }

    private static void until(BooleanSupplier condition) {
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            while (!condition.getAsBoolean()) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void whatIsSyncedIsAnsweredWithoutASync() {
        SyncOwner synced = new SyncOwner(log, pool, 5);
        assertThat(synced.await(5, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(log.syncs).hasValue(0);
    }

    @Test
    void everyoneAppendedBeforeTheSyncBeginsIsReleasedByIt() throws Exception {
        log.hold();
        log.end.set(1);
        Future<SyncOutcome> first = waitFor(1);
        until(() -> log.started.get() == 1);
        List<Future<SyncOutcome>> group = new ArrayList<>();
        for (int i = 2; i <= 50; i++) {
            log.end.set(i);
            group.add(waitFor(i));
        }
        until(() -> owner.look().waiting() == 49);
        assertThat(first.isDone()).isFalse();
        log.gate.release(1);
        assertThat(first.get()).isEqualTo(SyncOutcome.SYNCED);
        assertThat(owner.persistedEnd()).isEqualTo(1);
        log.gate.release(1);
        for (Future<SyncOutcome> one : group) {
            assertThat(one.get()).isEqualTo(SyncOutcome.SYNCED);
        }
        assertThat(log.syncs).hasValue(2);
        assertThat(log.mostAtOnce).hasValue(1);
    }

    @Test
    void aSyncThatBeginsLaterThanTheAppendAlsoCoversAWaiterThatComesDuringIt() throws Exception {
        log.hold();
        log.end.set(10);
        Future<SyncOutcome> first = waitFor(1);
        until(() -> log.started.get() == 1);
        Future<SyncOutcome> late = waitFor(10);
        until(() -> owner.look().waiting() == 1);
        log.gate.release(1);
        assertThat(first.get()).isEqualTo(SyncOutcome.SYNCED);
        assertThat(late.get()).isEqualTo(SyncOutcome.SYNCED);
        assertThat(log.syncs).hasValue(1);
    }

    static List<Throwable> failures() {
        return List.of(
                new IOException("EIO"),
                new UncheckedIOException(new IOException("EIO")),
                new InternalError("a fault occurred in an unsafe memory access"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theFirstThrowableIsTheLastSync(Throwable failure) throws Exception {
        log.end.set(3);
        assertThat(waitFor(3).get()).isEqualTo(SyncOutcome.SYNCED);
        log.hold();
        log.failWith = failure;
        log.end.set(4);
        Future<SyncOutcome> inTheGroup = waitFor(4);
        until(() -> log.started.get() == 2);
        log.end.set(5);
        Future<SyncOutcome> behindIt = waitFor(5);
        until(() -> owner.look().waiting() == 1);
        log.gate.release(100);

        assertThat(inTheGroup.get()).isEqualTo(SyncOutcome.FAILED);
        assertThat(behindIt.get()).isEqualTo(SyncOutcome.FAILED);
        assertThat(log.fencedWith).containsExactly(failure);
        assertThat(fences).hasValue(1);
        log.failWith = null;
        assertThat(waitFor(5).get()).isEqualTo(SyncOutcome.FAILED);
        owner.request(SyncReason.AGE);
        assertThat(waitFor(6).get()).isEqualTo(SyncOutcome.FAILED);
        assertThat(log.started).as("no sync is tried again").hasValue(2);
        assertThat(owner.persistedEnd()).as("never moves again").isEqualTo(3);
        assertThat(waitFor(3).get()).as("what was synced stays so").isEqualTo(SyncOutcome.SYNCED);
    }

    @Test
    void aFenceFromElsewhereMakesASyncThatIsRunningWorthless() throws Exception {
        log.hold();
        log.end.set(1);
        Future<SyncOutcome> waiter = waitFor(1);
        until(() -> log.started.get() == 1);
        owner.fence(new IOException("the preparer's sync failed"));
        log.gate.release(1);
        assertThat(waiter.get()).isEqualTo(SyncOutcome.FAILED);
        assertThat(owner.persistedEnd()).isZero();
    }

    @Test
    void whatFailsAfterASyncFencesButTakesNoAcknowledgementBack() throws Exception {
        log.afterSync = () -> {
            throw new IOException("the checkpoint's sync failed");
        };
        log.end.set(1);
        assertThat(waitFor(1).get()).isEqualTo(SyncOutcome.SYNCED);
        until(() -> log.fencedWith.size() == 1);
        log.end.set(2);
        assertThat(waitFor(2).get()).isEqualTo(SyncOutcome.FAILED);
        assertThat(owner.persistedEnd()).isEqualTo(1);
    }

    @Test
    void theWaitEndsAtItsDeadlineAndTheSyncGoesOn() throws Exception {
        log.hold();
        log.end.set(1);
        long start = System.nanoTime();
        assertThat(owner.await(1, SyncReason.ACK, Deadline.inMillis(50))).isEqualTo(SyncOutcome.TIMED_OUT);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(50L, 5_000L);
        log.gate.release(1);
        until(() -> owner.persistedEnd() == 1);
    }

    @Test
    void anInterruptNeitherEndsTheWaitNorReachesTheSync() throws Exception {
        log.hold();
        log.end.set(1);
        CountDownLatch flagSeen = new CountDownLatch(1);
        AtomicInteger outcome = new AtomicInteger(-1);
        Thread waiter = Thread.ofVirtual().start(() -> {
            SyncOutcome result = owner.await(1, SyncReason.ACK, FAR);
            outcome.set(result == SyncOutcome.SYNCED ? 1 : 0);
            if (Thread.currentThread().isInterrupted()) {
                flagSeen.countDown();
            }
        });
        until(() -> log.started.get() == 1);
        for (int i = 0; i < 1000; i++) {
            waiter.interrupt();
        }
        assertThat(outcome).hasValue(-1);
        log.gate.release(1);
        assertThat(flagSeen.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(outcome).hasValue(1);
        assertThat(log.sawInterrupt).hasValue(0);
    }

    @Test
    void eachReasonIsCounted() {
        for (SyncReason reason : List.of(SyncReason.MESSAGES, SyncReason.BYTES, SyncReason.AGE, SyncReason.SEAL)) {
            long end = log.end.incrementAndGet();
            owner.request(reason);
            until(() -> owner.persistedEnd() == end);
        }
        log.end.incrementAndGet();
        assertThat(owner.await(log.end.get(), SyncReason.SHUTDOWN, FAR)).isEqualTo(SyncOutcome.SYNCED);
        until(() -> reasons.size() == 5);
        assertThat(reasons)
                .containsExactly(
                        SyncReason.MESSAGES, SyncReason.BYTES, SyncReason.AGE, SyncReason.SEAL, SyncReason.SHUTDOWN);
    }

    @Test
    void aRequestThatTheLastSyncCoveredCostsNoSync() {
        log.end.set(1);
        owner.request(SyncReason.AGE);
        until(() -> owner.persistedEnd() == 1 && owner.look().quiet());
        owner.request(SyncReason.BYTES);
        until(() -> owner.look().quiet());
        assertThat(log.syncs).hasValue(1);
    }

    @Test
    void backgroundSyncsLeaveThreadsForThoseThatSomebodyWaitsFor() throws Exception {
        List<FakeLog> slow = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            FakeLog one = new FakeLog();
            one.hold();
            one.end.set(1);
            slow.add(one);
            new SyncOwner(one, pool, 0).request(SyncReason.BYTES);
        }
        until(() -> slow.stream().mapToInt(one -> one.started.get()).sum() == 2);
        log.end.set(1);
        assertThat(waitFor(1).get(20, TimeUnit.SECONDS)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(slow.stream().mapToInt(one -> one.started.get()).sum()).isEqualTo(2);
        slow.forEach(one -> one.gate.release(10));
        until(() -> slow.stream().allMatch(one -> one.syncs.get() == 1));
    }

    @Test
    void manyLogsWithManyWritersAllGetTheirAnswers() throws Exception {
        List<Future<?>> writers = new ArrayList<>();
        List<FakeLog> logs = new ArrayList<>();
        for (int l = 0; l < 20; l++) {
            FakeLog one = new FakeLog();
            logs.add(one);
            SyncOwner itsOwner = new SyncOwner(one, pool, 0);
            for (int w = 0; w < 20; w++) {
                writers.add(callers.submit(() -> {
                    for (int i = 0; i < 200; i++) {
                        long end = one.end.incrementAndGet();
                        assertThat(itsOwner.await(end, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
                        assertThat(one.synced.get()).isGreaterThanOrEqualTo(end);
                    }
                }));
            }
        }
        for (Future<?> writer : writers) {
            writer.get(60, TimeUnit.SECONDS);
        }
        assertThat(logs).allSatisfy(one -> assertThat(one.mostAtOnce).hasValue(1));
    }

    /** A log whose syncs can be held and made to fail. */
    private static final class FakeLog implements Syncable {
        final AtomicLong end = new AtomicLong();
        final AtomicLong synced = new AtomicLong();
        final AtomicInteger started = new AtomicInteger();
        final AtomicInteger syncs = new AtomicInteger();
        final AtomicInteger atOnce = new AtomicInteger();
        final AtomicInteger mostAtOnce = new AtomicInteger();
        final AtomicInteger sawInterrupt = new AtomicInteger();
        final ConcurrentLinkedQueue<Throwable> fencedWith = new ConcurrentLinkedQueue<>();
        final Semaphore gate = new Semaphore(0);
        volatile boolean held;
        volatile Throwable failWith;
        volatile AfterSync afterSync = () -> {};

        interface AfterSync {
            void run() throws IOException;
        }

        @Override
        public void synced() throws IOException {
            afterSync.run();
        }

        void hold() {
            held = true;
        }

        @Override
        public String component() {
            return "fake log";
        }

        @Override
        public boolean dirty() {
            return end.get() > synced.get();
        }

        @Override
        public long sync() throws IOException {
            long covers = end.get();
            started.incrementAndGet();
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            if (held) {
                gate.acquireUninterruptibly();
            }
            if (Thread.currentThread().isInterrupted()) {
                sawInterrupt.incrementAndGet();
            }
            atOnce.decrementAndGet();
            Throwable failure = failWith;
            if (failure instanceof IOException e) {
                throw e;
            } else if (failure instanceof RuntimeException e) {
                throw e;
            } else if (failure instanceof Error e) {
                throw e;
            }
            synced.set(covers);
            syncs.incrementAndGet();
            return covers;
        }

        @Override
        public boolean fenced(Throwable cause) {
            return fencedWith.add(cause);
        }
    }
}
