// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.segment.format.SegmentSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the oldest segments of one log. The checkpoint says so first, on stable storage; then readers stop finding them; then the files
 * go. Whoever still reads keeps the mapping, not the file.
 * <p>Any thread, one after the other. A crash leaves files that the checkpoint says are gone; recovery takes them away.
 */
final class LogDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(LogDeletion.class);

    private final LogState state;
    private final StoreParts parts;
    private final ReentrantLock appendLock;
    private final LogCheckpoints checkpoints;
    private final Consumer<Throwable> fence;
    private final LongSupplier producersKeptTo;
    private final ReentrantLock lock = new ReentrantLock();

    LogDeletion(
            LogState state,
            StoreParts parts,
            ReentrantLock appendLock,
            LogCheckpoints checkpoints,
            Consumer<Throwable> fence,
            LongSupplier producersKeptTo) {
        this.state = state;
        this.parts = parts;
        this.appendLock = appendLock;
        this.checkpoints = checkpoints;
        this.fence = fence;
        this.producersKeptTo = producersKeptTo;
    }

    /**
     * @param noted runs before readers can meet the gap
     */
    List<SealedSegment> delete(long endOffset, Runnable noted) {
        lock.lock();
        try {
            state.requireWritable();
            SegmentList before = state.segments();
            int count = deletable(before, endOffset);
            if (count == 0) {
                return List.of();
            }
            checkpoint(before.get(count).baseOffset());
            noted.run();
            appendLock.lock();
            try {
                state.segments(state.segments().withoutFirst(count));
            } finally {
                appendLock.unlock();
            }
            List<SealedSegment> gone = new ArrayList<>(count);
            for (Segment segment : before.segments().subList(0, count)) {
                gone.add(LogLook.view(java.util.Objects.requireNonNull(segment.sealed())));
                remove(segment);
            }
            return List.copyOf(gone);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sealed, before the offset, and synced: what is not is still to be synced in order. Frames that only they know an idempotent producer
     * by stay until a snapshot on stable storage knows it too; the next pass finds that written.
     */
    private int deletable(SegmentList segments, long endOffset) {
        long end = Math.min(Math.min(endOffset, state.synced().endOffset()), producersKeptTo.getAsLong());
        int count = 0;
        while (count < segments.size() - 1) {
            SegmentSummary summary = segments.get(count).sealed();
            if (summary == null
                    || summary.endOffset() > end
                    || segments.get(count) == state.synced().segment()) {
                break;
            }
            count++;
        }
        return count;
    }

    private void checkpoint(long firstOffset) {
        try {
            checkpoints.advanceFirst(firstOffset);
        } catch (NoSpaceException e) {
            throw SpaceKeeper.noSpace(state.spec().ref(), e);
        } catch (IOException e) {
            state.requireReadable(); // Deleted meanwhile: its directory is on its way out.
            fence.accept(e);
            throw new KeptlogException(
                    ErrorCode.PARTITION_FENCED,
                    "Partition " + state.spec().ref() + " takes no writes: its checkpoint could not be written.");
        }
    }

    private void remove(Segment segment) {
        segment.mapped().retire();
        for (Path file : List.of(segment.file(), state.paths().index(segment.baseOffset()))) {
            try {
                state.inPlace(() -> {
                    if (parts.files().exists(file)) {
                        parts.files().delete(file);
                    }
                });
            } catch (IOException e) {
                LOG.warn("{} could not be deleted; the next start deletes it", file, e);
            }
        }
    }
}
