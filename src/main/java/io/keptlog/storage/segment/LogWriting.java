// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.recovery.RecoveredPartition;
import io.keptlog.storage.segment.recovery.RecoveredProducers;
import io.keptlog.storage.sync.SyncOwner;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a log that takes appends. */
record LogWriting(
        LogAppender appender,
        SyncOwner owner,
        SpaceKeeper space,
        LogRoller roller,
        LogCheckpoints checkpoints,
        LogProducers producers,
        LogDeletion deletion) {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriting.class);

    /** Builds them around a state that recovery has made appendable. */
    static LogWriting of(LogState state, StoreParts parts, RecoveredPartition recovered) {
        ReentrantLock appendLock = new ReentrantLock();
        RecoveredProducers known = recovered.producers();
        LogProducers producers =
                new LogProducers(state, parts, appendLock, known.states(), known.seen(), known.snapshotEnd());
        Checkpoint newest = recovered.checkpoint();
        LogCheckpoints checkpoints = new LogCheckpoints(
                state,
                parts,
                producers,
                newest != null ? newest : Checkpoint.beginning(recovered.spec().incarnation()),
                recovered.epochs());
        LogRoller roller = new LogRoller(state, parts);
        Wiring wiring = new Wiring();
        LogSync sync = new LogSync(state, parts, roller, checkpoints, producers, wiring::wake);
        SyncOwner owner = new SyncOwner(sync, parts.syncs(), state.synced().endOffset());
        SpaceKeeper space = new SpaceKeeper(state, parts, appendLock, owner::fence);
        LogAppender appender = new LogAppender(state, parts, owner, space, roller, producers);
        wiring.appender = appender;
        LogDeletion deletion =
                new LogDeletion(state, parts, space.lock(), checkpoints, owner::fence, producers::keptTo);
        return new LogWriting(appender, owner, space, roller, checkpoints, producers, deletion);
    }

    /** Ties the knot between the sync, which wakes the appenders, and the appender, which asks for syncs. */
    private static final class Wiring {
        private volatile @org.jspecify.annotations.Nullable LogAppender appender;

        void wake() {
            LogAppender waiting = appender;
            if (waiting != null) {
                waiting.wake();
            }
        }
    }

    /** Whether an idle log's checkpoint or snapshot is behind. */
    boolean idleIsDue() {
        return checkpoints.idleIsDue() || producers.idleIsDue();
    }

    /** Brings the checkpoint and the snapshot of an idle log up to date. */
    void idle(LogState state) {
        if (!state.open()) {
            return;
        }
        try {
            checkpoints.sync();
            producers.idle();
        } catch (NoSpaceException e) {
            LOG.debug("partition {}: no space for its checkpoint", state.spec().ref(), e);
        } catch (IOException | RuntimeException | Error e) {
            if (state.open()) {
                owner.fence(e);
            }
        }
    }

    /** Fails who waits for space, lets syncs that are waited for happen, then closes the files. The state is closed already. */
    void close(LogState state) {
        appender.wake();
        space.request();
        owner.close(() -> {
            try {
                for (Tail sealed = roller.firstUnsynced(); sealed != null; sealed = roller.firstUnsynced()) {
                    java.util.Objects.requireNonNull(sealed.writer()).close();
                    roller.firstIsSynced();
                }
                java.util.Objects.requireNonNull(state.tail().writer()).close();
            } catch (IOException e) {
                LOG.warn("partition {}: closing its files failed", state.spec().ref(), e);
            }
        });
    }
}
