// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.file.NoSpaceException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one log's appender and the preparer tell each other about space: the appender what it needs, the preparer what is there.
 * <p>Methods that say so are called under the appender's lock; {@link #run} on a preparer thread, one at a time.
 * <p>A full disk is remembered until the preparer got the space that was wanted: it tries again by itself, and until then appends that
 * need more are refused at once with NO_SPACE. Any other failure fences the log. Positions in bytes.
 */
final class SpaceKeeper {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ReentrantLock lock;
    private final Condition changed;
    private final LogState state;
    private final StoreParts parts;
    private final SpaceSteps steps;
    private final java.util.function.Consumer<Throwable> fence;

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicBoolean waitsToGoOn = new AtomicBoolean();
    private volatile long lookAt;
    private volatile @Nullable SegmentWriter lookedAt;

    /** Under the lock: an appender waits until the active file is ready up to here. */
    private @Nullable SegmentWriter wantedIn;

    private long wantedEnd;
    /** Under the lock: an appender waits for a next file that is ready up to here; 0 when none does. */
    private long wantedNextEnd;

    private @Nullable PreparedSegment next;
    /** Under the lock: the next file was taken and still has its temporary name. */
    private boolean installing;

    private @Nullable NoSpaceException full;

    /**
     * @param lock the appender's
     * @param fence called when preparing fails for another reason than a full disk
     */
    SpaceKeeper(LogState state, StoreParts parts, ReentrantLock lock, java.util.function.Consumer<Throwable> fence) {
        this.lock = lock;
        this.changed = lock.newCondition();
        this.state = state;
        this.parts = parts;
        this.steps = new SpaceSteps(state, parts);
        this.fence = fence;
    }

    /** The appender's lock. */
    ReentrantLock lock() {
        return lock;
    }

    /** Signalled when space, the active segment or the log's condition changed. */
    Condition changed() {
        return changed;
    }

    static KeptlogException noSpace(PartitionRef ref, Throwable cause) {
        return new KeptlogException(
                ErrorCode.NO_SPACE,
                "The disk is full: nothing was stored in partition " + ref
                        + ". Writes go on as soon as there is space again.",
                null,
                1,
                java.util.Map.of(),
                cause);
    }

    /** Under the lock: a frame was written. Cheap. */
    void written(SegmentWriter writer, long position) {
        if (position >= lookAt || writer != lookedAt) {
            request();
        }
    }

    /** Under the lock: asks for space in the active file. */
    void want(SegmentWriter writer, long end) {
        wantedEnd = wantedIn == writer ? Math.max(wantedEnd, end) : end;
        wantedIn = writer;
        request();
    }

    /** Under the lock: a next file with room for {@code end} bytes, now the caller's; or null, and one is asked for. */
    @Nullable
    PreparedSegment takeNext(long end) {
        PreparedSegment prepared = next;
        if (prepared != null && prepared.space().readyEnd() >= end) {
            next = null;
            installing = true;
            return prepared;
        }
        wantedNextEnd = Math.max(wantedNextEnd, end);
        request();
        return null;
    }

    /** Under the lock: the file that was taken has its name and is active. */
    void installed() {
        installing = false;
    }

    /** Under the lock: it was not used after all. */
    void giveBackNext(PreparedSegment unused) {
        installing = false;
        next = unused;
    }

    /**
     * Under the lock.
     *
     * @throws KeptlogException NO_SPACE when the preparer found the disk full
     */
    void requireSpaceToCome() {
        NoSpaceException failed = full;
        if (failed != null) {
            parts.observer().noSpace();
            throw noSpace(state.spec().ref(), failed);
        }
    }

    /** Has the preparer look at this log. */
    void request() {
        if (requests.getAndIncrement() == 0) {
            parts.preparer().execute(this::run);
        }
    }

    private void run() {
        int seen = requests.get();
        long goOnNanos = step();
        if (!requests.compareAndSet(seen, 0)) {
            requests.set(1);
            parts.preparer().execute(this::run);
        } else if (goOnNanos == 0) {
            request();
        } else if (goOnNanos > 0 && waitsToGoOn.compareAndSet(false, true)) {
            parts.preparer()
                    .later(
                            () -> {
                                waitsToGoOn.set(false);
                                request();
                            },
                            goOnNanos);
        }
    }

    /** @return when to go on, −1 when there is nothing to do */
    private long step() {
        try {
            if (!state.open()) {
                closeFiles();
                return -1;
            }
            SpaceSteps.Wanted wanted = wanted();
            long[] goOnNanos = {-1};
            state.inPlace(() -> {
                SpaceSteps.Done done = steps.step(wanted);
                tell(done, null);
                goOnNanos[0] = done.goOnNanos();
            });
            return goOnNanos[0];
        } catch (NoSpaceException e) {
            tell(null, e);
            return RETRY_NANOS;
        } catch (Throwable e) {
            // Of a deleted log the files go while it is being looked at.
            if (state.open()) {
                fence.accept(e);
            }
            return -1;
        }
    }

    private SpaceSteps.Wanted wanted() {
        lock.lock();
        try {
            SegmentWriter writer = java.util.Objects.requireNonNull(state.tail().writer());
            long activeEnd = wantedIn == writer ? wantedEnd : 0;
            return new SpaceSteps.Wanted(activeEnd, wantedNextEnd, next, installing);
        } finally {
            lock.unlock();
        }
    }

    private void tell(SpaceSteps.@Nullable Done done, @Nullable NoSpaceException failed) {
        lock.lock();
        try {
            full = failed;
            if (done != null) {
                lookAt = done.lookAt();
                lookedAt = done.writer();
                if (done.next() != null) {
                    next = done.next();
                }
                PreparedSegment prepared = next;
                if (prepared != null && prepared.space().readyEnd() >= wantedNextEnd) {
                    wantedNextEnd = 0;
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void closeFiles() throws java.io.IOException {
        PreparedSegment unused;
        lock.lock();
        try {
            unused = next;
            next = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        steps.close(unused);
    }
}
