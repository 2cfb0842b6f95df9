// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.Generation;
import io.keptlog.storage.journal.format.LoadedJournal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An append journal that is being written. Owns the newest generation and one thread, the sync owner ({@link JournalSyncOwner}), which
 * alone syncs it. Safe for any number of threads; appends are ordered by one lock, waits are released in groups. A crash leaves every
 * record whose wait ended well; a kill of the process leaves every appended one. Throws {@link KeptlogException}: NO_SPACE (nothing
 * stored, goes on), the fenced code (not stored), SYNC_FAILED (may be stored). Ends are record numbers since the start, exclusive.
 */
final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    final JournalSettings settings;
    final JournalEnvironment environment;
    final GenerationWriter writer;
    final ReentrantLock lock = new ReentrantLock();
    /** Something for the sync owner. */
    final Condition work = lock.newCondition();

    final JournalCommits commits;
    /** Null while there was no space to begin one. */
    @Nullable
    Generation active;
    /** What recovery found, until the first generation of this life is made. */
    private @Nullable LoadedJournal loaded;
    /** A rewrite in progress; it wants every record as well. */
    @Nullable
    JournalRewrite rewrite;

    long appended;
    /** When the oldest write that is not synced was made; 0 = all is synced. */
    long dirtySinceNanos;

    boolean closed;
    private @Nullable Thread owner;

    Journal(JournalSettings settings, JournalEnvironment environment, SnapshotSource snapshot) {
        this.settings = settings;
        this.environment = environment;
        this.writer = new GenerationWriter(settings, snapshot);
        this.commits = new JournalCommits(lock, work, settings.component(), settings.timedOut());
    }

    /**
     * Begins a new generation from what was loaded: everything is written anew, because what the page cache shows after a failed sync may
     * not be on the disk. A full disk is no error: the first append tries again.
     */
    void start(LoadedJournal found) {
        lock.lock();
        try {
            loaded = found;
            try {
                beginFirstGeneration();
            } catch (NoSpaceException e) {
                environment.observer().noSpace();
                LOG.warn("{}: no space to begin a new generation; tried again with the first write", component());
            } catch (IOException | RuntimeException | Error e) {
                fence("cannot be written: " + e.getMessage(), e);
            }
            Thread thread = environment.threads().newThread(new JournalSyncOwner(this));
            owner = thread;
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private Generation beginFirstGeneration() throws IOException {
        LoadedJournal found = java.util.Objects.requireNonNull(loaded, "started");
        Generation generation = writer.begin(found.highest() + 1, writer.capture());
        try {
            generation.sync();
            generation.publish();
            generation.syncNames();
        } catch (IOException | RuntimeException | Error e) {
            generation.discardAfter(e);
            throw e;
        }
        generation.markStable(generation.written());
        generation.writeCheckpoint();
        active = generation;
        loaded = null;
        retireOthers(generation, found.keep(), found.badFiles());
        return generation;
    }

    /** Old files do no harm: what cannot be removed now is removed the next time. */
    static void retireOthers(Generation newest, long keep, List<java.nio.file.Path> damaged) {
        try {
            newest.retireOthers(keep, damaged);
        } catch (IOException e) {
            LOG.warn("Old generations of a journal are still there: {}", e.getMessage());
        }
    }

    String component() {
        return settings.component();
    }

    /**
     * Appends the records in one write and applies them, in the order of the journal.
     *
     * @param applied runs under the journal's lock after the write; must be short and throw nothing
     * @return the end to wait for
     */
    long append(List<byte[]> records, Runnable applied) {
        lock.lock();
        try {
            refuse();
            write(records);
            if (rewrite != null) {
                rewrite.appended(records);
            }
            appended += records.size();
            becomeDirty(System.nanoTime());
            applied.run();
            return appended;
        } finally {
            lock.unlock();
        }
    }

    /** Throws when an append would be refused. */
    void refuseIfNotWritable() {
        lock.lock();
        try {
            refuse();
        } finally {
            lock.unlock();
        }
    }

    private void refuse() {
        if (closed) {
            throw new KeptlogException(ErrorCode.SHUTTING_DOWN, "the server is shutting down");
        }
        String fence = commits.fence();
        if (fence != null) {
            throw new KeptlogException(settings.fenced(), "the " + component() + " takes no writes: " + fence);
        }
    }

    private void write(List<byte[]> records) {
        try {
            Generation generation = active == null ? beginFirstGeneration() : active;
            generation.append(Frame.Kind.RECORD, records);
        } catch (NoSpaceException e) {
            environment.observer().noSpace();
            if (active != null) {
                // A half written record was overwritten with zeros, and these must not get lost either.
                becomeDirty(System.nanoTime());
            }
            throw new KeptlogException(ErrorCode.NO_SPACE, "the disk is full", null, 0, Map.of(), e);
        } catch (IOException | RuntimeException | Error e) {
            fence("a write failed: " + e.getMessage(), e);
            throw new KeptlogException(
                    ErrorCode.SYNC_FAILED, "a write to the " + component() + " failed", null, 0, Map.of(), e);
        }
    }

    /** Under the lock: there is something to sync now. */
    void becomeDirty(long nowNanos) {
        if (dirtySinceNanos == 0) {
            dirtySinceNanos = nowNanos == 0 ? 1 : nowNanos;
            work.signal();
        }
    }

    /** Waits until everything before {@code end} is on stable storage. */
    void awaitPersisted(long end, Deadline deadline) {
        commits.awaitPersisted(end, deadline);
    }

    /** Waits until everything written so far is on stable storage, also what is no record. */
    void flush(Deadline deadline) {
        lock.lock();
        try {
            if (dirtySinceNanos != 0) {
                commits.awaitFlush(deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a sync of everything appended so far. */
    void kick() {
        lock.lock();
        try {
            commits.want(appended);
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    long persistedEnd() {
        lock.lock();
        try {
            return commits.persisted();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses every write until the restart. The first reason stays. */
    void fence(String reason, Throwable cause) {
        lock.lock();
        try {
            if (commits.fence() == null) {
                LOG.error("{}: {}; it takes no writes until the restart", component(), reason, cause);
                environment.observer().fenced(component());
            }
            commits.fence(reason);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a generation could be begun. */
    boolean isWriting() {
        lock.lock();
        try {
            return active != null && commits.fence() == null;
        } finally {
            lock.unlock();
        }
    }

    boolean isFenced() {
        return !faults().isEmpty();
    }

    List<Fault> faults() {
        lock.lock();
        try {
            String fence = commits.fence();
            return fence == null ? List.of() : List.of(new Fault(component(), fence, false));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Syncs what is left and ends.
     *
     * @throws KeptlogException SYNC_FAILED when the last sync failed or did not end in time
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        Deadline deadline = Deadline.inMillis(Limits.SHUTDOWN_MAX_MILLIS);
        boolean ended = owner == null || Threads.join(owner, deadline);
        lock.lock();
        try {
            if (active != null) {
                active.close();
            }
            if (!ended || commits.fence() != null || dirtySinceNanos != 0) {
                throw new KeptlogException(
                        ErrorCode.SYNC_FAILED, "the " + component() + " could not be put on stable storage at the end");
            }
        } catch (IOException e) {
            throw new KeptlogException(
                    ErrorCode.SYNC_FAILED, "the " + component() + " could not be closed", null, 0, Map.of(), e);
        } finally {
            lock.unlock();
        }
    }
}
