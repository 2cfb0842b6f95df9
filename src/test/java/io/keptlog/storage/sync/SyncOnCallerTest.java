// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is alone on a quick disk syncs on its own thread; everybody else leaves it to the pool and can go at the deadline. */
class SyncOnCallerTest {
    private static final Deadline FAR = Deadline.in(Duration.ofSeconds(20));

    private final SyncPool pool =
            new SyncPool(4, Thread.ofPlatform().daemon().name("sync-", 0).factory(), 10_000, new StoreObserver() {});
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final Log log = new Log();
    private final SyncOwner owner = new SyncOwner(log, pool, 0);

    @AfterEach
    void close() {
        log.gate.release(1_000);
        callers.close();
        pool.close();
    }

    /** Syncs until one was quick; a busy machine may take several. */
    private void becomeQuick(SyncOwner of, Log its) {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            long end = its.end.incrementAndGet();
            assertThat(of.await(end, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
            return of.look().quick();
        });
    }

    private Future<SyncOutcome> append(SyncOwner to, Log its) {
        long end = its.end.incrementAndGet();
        return callers.submit(() -> to.await(end, SyncReason.ACK, FAR));
    }

    @Test
    void theFirstSyncIsMadeByThePoolAndAfterAQuickOneByWhoeverWaits() {
        log.end.set(1);
        assertThat(owner.await(1, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(log.syncedBy).isNotNull().isNotEqualTo(Thread.currentThread());
        becomeQuick(owner, log);
        assertThat(owner.persistedEnd()).isEqualTo(log.end.get());
    }

    @Test
    void onlyWhoWaitsForAnAcknowledgementDoesIt() {
        becomeQuick(owner, log);
        long end = log.end.incrementAndGet();
        assertThat(owner.await(end, SyncReason.BARRIER, FAR)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(log.syncedBy).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void whoMustHaveItsAnswerWithinASecondLeavesItToThePool() {
        becomeQuick(owner, log);
        log.held = true;
        long end = log.end.incrementAndGet();
        assertThat(owner.await(end, SyncReason.ACK, Deadline.inMillis(50))).isEqualTo(SyncOutcome.TIMED_OUT);
        log.gate.release(1_000);
        assertThat(owner.await(end, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
    }

    @Test
    void whoComesMeanwhileIsServedByThePoolAndLeavesAtItsDeadline() throws Exception {
        becomeQuick(owner, log);
        log.held = true;
        Future<SyncOutcome> alone = append(owner, log);
        await().until(() -> log.gate.hasQueuedThreads());
        assertThat(log.syncedBy.isVirtual()).as("on its own thread").isTrue();
        long end = log.end.incrementAndGet();
        assertThat(owner.await(end, SyncReason.ACK, Deadline.inMillis(50))).isEqualTo(SyncOutcome.TIMED_OUT);
        log.gate.release(1_000);
        assertThat(alone.get()).isEqualTo(SyncOutcome.SYNCED);
        assertThat(owner.await(end, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(log.mostAtOnce).hasValue(1);
    }

    @Test
    void aDiskThatStallsHoldsOneCallerOfAllLogsBeyondItsDeadline() throws Exception {
        Log other = new Log();
        SyncOwner its = new SyncOwner(other, pool, 0);
        becomeQuick(owner, log);
        becomeQuick(its, other);
        log.held = true;
        Future<SyncOutcome> alone = append(owner, log);
        await().until(() -> log.gate.hasQueuedThreads());
        other.held = true;
        long end = other.end.incrementAndGet();
        assertThat(its.await(end, SyncReason.ACK, Deadline.inMillis(50))).isEqualTo(SyncOutcome.TIMED_OUT);
        other.gate.release(1_000);
        log.gate.release(1_000);
        assertThat(alone.get()).isEqualTo(SyncOutcome.SYNCED);
    }

    @Test
    void afterASlowSyncThePoolTakesOver() {
        becomeQuick(owner, log);
        log.slow = true;
        assertThat(owner.await(log.end.incrementAndGet(), SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
        log.slow = false;
        assertThat(owner.await(log.end.incrementAndGet(), SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(log.syncedBy).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void aFailureOnTheCallersThreadFencesLikeAnyOther() {
        becomeQuick(owner, log);
        long persisted = owner.persistedEnd();
        log.failWith = new IOException("EIO");
        assertThat(owner.await(log.end.incrementAndGet(), SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.FAILED);
        assertThat(log.syncedBy).isEqualTo(Thread.currentThread());
        assertThat(log.fences).hasValue(1);
        log.failWith = null;
        assertThat(owner.await(log.end.incrementAndGet(), SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.FAILED);
        assertThat(owner.persistedEnd()).isEqualTo(persisted);
    }

    @Test
    void anInterruptOfTheCallerDoesNotReachItsSyncAndIsNotLost() {
        becomeQuick(owner, log);
        Thread.currentThread().interrupt();
        assertThat(owner.await(log.end.incrementAndGet(), SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.SYNCED);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(log.sawInterrupt).isFalse();
    }

    @Test
    void thePoolsEndWaitsForItAndNoneBeginsAfterwards() throws Exception {
        becomeQuick(owner, log);
        log.held = true;
        Future<SyncOutcome> alone = append(owner, log);
        await().until(() -> log.gate.hasQueuedThreads());
        Future<?> closing = callers.submit(pool::close);
        assertThat(closing.isDone()).isFalse();
        log.gate.release(1_000);
        assertThat(alone.get()).isEqualTo(SyncOutcome.SYNCED);
        closing.get();
        assertThat(pool.beginsOnCaller()).isFalse();
    }

    private static final class Log implements Syncable {
        final AtomicLong end = new AtomicLong();
        final AtomicInteger fences = new AtomicInteger();
        final AtomicInteger atOnce = new AtomicInteger();
        final AtomicInteger mostAtOnce = new AtomicInteger();
        final Semaphore gate = new Semaphore(0);
        volatile long synced;
        volatile boolean held;
        volatile boolean slow;
        volatile boolean sawInterrupt;
        volatile @Nullable IOException failWith;
        volatile Thread syncedBy = new Thread();

        @Override
        public String component() {
            return "log";
        }

        @Override
        public boolean dirty() {
            return end.get() > synced;
        }

        @Override
        public long sync() throws IOException {
            long covers = end.get();
            syncedBy = Thread.currentThread();
            sawInterrupt |= Thread.currentThread().isInterrupted();
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            if (held) {
                gate.acquireUninterruptibly();
            }
            if (slow) {
                long until = System.nanoTime() + 5_000_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            }
            atOnce.decrementAndGet();
            IOException failure = failWith;
            if (failure != null) {
                throw failure;
            }
            synced = covers;
            return covers;
        }

        @Override
        public boolean fenced(Throwable cause) {
            return fences.incrementAndGet() == 1;
        }
    }
}
