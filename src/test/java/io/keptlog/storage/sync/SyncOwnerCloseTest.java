// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A closed owner syncs nothing: its files are closed by then. */
class SyncOwnerCloseTest {
    private static final Deadline FAR = Deadline.in(Duration.ofSeconds(20));

    private final SyncPool pool = new SyncPool(2, Thread.ofPlatform().daemon().factory(), 10_000, StoreObserver.NONE);
    private final HeldLog log = new HeldLog();
    private final SyncOwner owner = new SyncOwner(log, pool, 0);
    private final AtomicInteger syncsBefore = new AtomicInteger(-1);

    @AfterEach
    void close() {
        log.gate.release(1_000);
        pool.close();
    }

    private void closeOwner() {
        owner.close(() -> syncsBefore.set(log.synced.get()));
    }

    @Test
    void theLastActionRunsAfterTheSyncThatSomebodyWaitsFor() {
        CompletableFuture<SyncOutcome> waiter =
                CompletableFuture.supplyAsync(() -> owner.await(1, SyncReason.ACK, FAR));
        await().until(() -> log.begun.get() == 1);
        closeOwner();
        assertThat(syncsBefore).hasValue(-1);
        log.gate.release(1);
        assertThat(waiter.join()).isEqualTo(SyncOutcome.SYNCED);
        await().untilAsserted(() -> assertThat(syncsBefore).hasValue(1));
    }

    @Test
    void aSyncThatIsOnlyAskedForDoesNotBeginAfterTheLastAction() {
        // Its one thread for the background is taken, so the request waits in the queue until the owner is closed.
        HeldLog other = new HeldLog();
        SyncOwner othersOwner = new SyncOwner(other, pool, 0);
        othersOwner.request(SyncReason.AGE);
        await().until(() -> other.begun.get() == 1);
        owner.request(SyncReason.SEAL);
        closeOwner();
        assertThat(syncsBefore).hasValue(0);
        other.gate.release(1);
        await().until(() -> othersOwner.persistedEnd() == 1);
        // The queue is in order: this one runs after the request of the closed owner was taken from it.
        HeldLog last = new HeldLog();
        last.gate.release(1);
        SyncOwner lastOwner = new SyncOwner(last, pool, 0);
        lastOwner.request(SyncReason.AGE);
        await().until(() -> lastOwner.persistedEnd() == 1);
        assertThat(log.begun).hasValue(0);
    }

    @Test
    void whoComesAfterTheCloseFailsAtOnce() {
        closeOwner();
        assertThat(owner.await(1, SyncReason.ACK, FAR)).isEqualTo(SyncOutcome.FAILED);
        assertThat(log.begun).hasValue(0);
    }

    @Test
    void anOwnerThatIsFencedWhileItClosesStillRunsItsLastAction() {
        CompletableFuture<SyncOutcome> waiter =
                CompletableFuture.supplyAsync(() -> owner.await(1, SyncReason.ACK, FAR));
        await().until(() -> log.begun.get() == 1);
        closeOwner();
        owner.fence(new IOException("a write failed"));
        log.gate.release(1);
        assertThat(waiter.join()).isEqualTo(SyncOutcome.FAILED);
        await().untilAsserted(() -> assertThat(syncsBefore).hasValue(1));
    }

    /** A log of one message whose syncs wait at a gate. */
    private static final class HeldLog implements Syncable {
        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger synced = new AtomicInteger();
        final Semaphore gate = new Semaphore(0);

        @Override
        public String component() {
            return "held log";
        }

        @Override
        public boolean dirty() {
            return synced.get() == 0;
        }

        @Override
        public long sync() {
            begun.incrementAndGet();
            gate.acquireUninterruptibly();
            synced.incrementAndGet();
            return 1;
        }

        @Override
        public boolean fenced(Throwable cause) {
            return true;
        }
    }
}
