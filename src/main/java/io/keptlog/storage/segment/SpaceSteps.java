// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.SegmentHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The steps by which one log's space grows. In the active file it grows ahead of the writer: allocated at once, by as much as the file
 * holds already, up to a ceiling; filled with zeros in steps of at most 1 MiB with a pause between them, because larger ones hold up the
 * syncs of frames (measured). The next file is begun when the active one is half full, and is filled in larger steps.
 * <p>One preparer thread at a time. A step that throws can be repeated. Positions and lengths in bytes.
 */
final class SpaceSteps {
    private static final long AHEAD_MIN_BYTES = 64 << 10;
    private static final long ALLOCATED_AHEAD_MAX_BYTES = 64 << 20;
    private static final long ZEROED_AHEAD_MAX_BYTES = 8 << 20;
    private static final long ACTIVE_STEP_BYTES = 1 << 20;
    private static final long NEXT_STEP_BYTES = 8 << 20;
    private static final long BLOCK_BYTES = 4096;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NOTHING = -1;

    /**
     * What appenders wait for, 0 where none does.
     *
     * @param next what is prepared already
     * @param installing whether the last one is just becoming the active one: no other is begun under the same temporary name
     */
    record Wanted(long activeEnd, long nextEnd, @Nullable PreparedSegment next, boolean installing) {}

    /**
     * @param writer of the active file that was looked at
     * @param lookAt the next step is due when frames reach this position
     * @param next a next file that has become ready
     * @param goOnNanos when to go on, −1 when nothing is left to do
     */
    record Done(SegmentWriter writer, long lookAt, @Nullable PreparedSegment next, long goOnNanos) {}

    private final LogState state;
    private final StoreParts parts;
    private @Nullable SegmentSpace activeSpace;
    private boolean zeroing;
    private @Nullable PreparedSegment begun;

    SpaceSteps(LogState state, StoreParts parts) {
        this.state = state;
        this.parts = parts;
    }

    Done step(Wanted wanted) throws IOException {
        Tail tail = state.tail();
        SegmentWriter writer = java.util.Objects.requireNonNull(tail.writer());
        follow(writer.space());
        long activeGoOn = active(writer, tail.position(), wanted.activeEnd());
        long trigger = nextTrigger(writer);
        PreparedSegment ready = null;
        long nextGoOn = NOTHING;
        if (wanted.next() != null && wanted.nextEnd() > wanted.next().space().readyEnd()) {
            extend(wanted.next().space(), wanted.nextEnd());
        } else if (wanted.next() == null
                && !wanted.installing()
                && (wanted.nextEnd() > 0 || tail.position() >= trigger)) {
            try {
                ready = next(writer, wanted.nextEnd());
                nextGoOn = ready == null ? (wanted.nextEnd() > 0 ? 0 : PAUSE_NANOS) : NOTHING;
            } catch (NoSpaceException e) {
                if (wanted.nextEnd() > 0) {
                    throw e;
                }
                nextGoOn = RETRY_NANOS;
            }
        }
        boolean hasNext = wanted.next() != null || wanted.installing() || ready != null;
        long lookAt = Math.min(activeLookAt(writer, tail.position()), hasNext ? Long.MAX_VALUE : trigger);
        if (activeGoOn == NOTHING || nextGoOn == NOTHING) {
            return new Done(writer, lookAt, ready, Math.max(activeGoOn, nextGoOn));
        }
        return new Done(writer, lookAt, ready, Math.min(activeGoOn, nextGoOn));
    }

    private void follow(SegmentSpace space) throws IOException {
        SegmentSpace before = activeSpace;
        if (before != space) {
            activeSpace = space;
            zeroing = false;
            if (before != null) {
                before.close();
            }
        }
    }

    private static long ahead(long position, long max) {
        return Math.min(max, Math.max(AHEAD_MIN_BYTES, position));
    }

    private static long blocks(long position) {
        return (position + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    }

    private long active(SegmentWriter writer, long position, long wantedEnd) throws IOException {
        SegmentSpace space = writer.space();
        long ahead = ahead(position, ALLOCATED_AHEAD_MAX_BYTES);
        long goal = state.spec().options().preallocateSegments()
                ? writer.limit()
                : Math.min(writer.limit(), position + ahead);
        if (wantedEnd > space.allocatedEnd() || (goal > space.allocatedEnd() && allocationIsDue(writer, position))) {
            allocate(space, Math.max(wantedEnd, goal), wantedEnd);
        }
        if (!state.zeroAhead()) {
            space.useAllocated();
            return NOTHING;
        }
        long zeroGoal =
                Math.max(wantedEnd, Math.min(writer.limit(), position + ahead(position, ZEROED_AHEAD_MAX_BYTES)));
        boolean blocked = wantedEnd > space.readyEnd();
        if (blocked || (zeroGoal > space.readyEnd() && position >= zeroLookAt(writer, position))) {
            zeroing = true;
        }
        if (zeroing) {
            space.zeroTo(zeroGoal, ACTIVE_STEP_BYTES);
            zeroing = space.readyEnd() < Math.min(zeroGoal, space.allocatedEnd());
        }
        if (!zeroing) {
            return NOTHING;
        }
        return wantedEnd > space.readyEnd() ? 0 : PAUSE_NANOS;
    }

    /** Tries less when there is no room for all; what nobody waits for may fail. */
    private void allocate(SegmentSpace space, long goal, long wantedEnd) throws IOException {
        try {
            space.allocateTo(blocks(goal));
        } catch (NoSpaceException e) {
            if (wantedEnd > space.allocatedEnd()) {
                space.allocateTo(blocks(wantedEnd));
            }
        }
    }

    private boolean allocationIsDue(SegmentWriter writer, long position) {
        return position >= allocationLookAt(writer, position);
    }

    private static long allocationLookAt(SegmentWriter writer, long position) {
        long allocated = writer.space().allocatedEnd();
        return allocated >= writer.limit()
                ? Long.MAX_VALUE
                : allocated - ahead(position, ALLOCATED_AHEAD_MAX_BYTES) / 2;
    }

    private static long zeroLookAt(SegmentWriter writer, long position) {
        long ready = writer.space().readyEnd();
        return ready >= writer.limit() ? Long.MAX_VALUE : ready - ahead(position, ZEROED_AHEAD_MAX_BYTES) / 2;
    }

    private long activeLookAt(SegmentWriter writer, long position) {
        long lookAt = allocationLookAt(writer, position);
        if (state.zeroAhead()) {
            lookAt = Math.min(lookAt, zeroLookAt(writer, position));
        }
        // After a step that got nothing (a full disk) not each append shall ask again.
        return lookAt > position ? lookAt : position + AHEAD_MIN_BYTES / 4;
    }

    /** Half of the active segment. */
    private static long nextTrigger(SegmentWriter writer) {
        return (SegmentHeader.FIRST_FRAME_POSITION + writer.limit()) / 2;
    }

    /** @return the next file when it is ready, else null and the next step goes on */
    private @Nullable PreparedSegment next(SegmentWriter active, long wantedEnd) throws IOException {
        PreparedSegment preparing = begun;
        if (preparing == null) {
            preparing = begin();
            begun = preparing;
        }
        SegmentSpace space = preparing.space();
        long limit = LogRoller.limit(state.spec().options());
        long goal = state.spec().options().preallocateSegments()
                ? limit
                : Math.min(limit, SegmentHeader.FIRST_FRAME_POSITION + ALLOCATED_AHEAD_MAX_BYTES);
        long enough = wantedEnd > 0 ? wantedEnd : Math.min(goal, active.limit());
        try {
            space.allocateTo(blocks(Math.max(goal, wantedEnd)));
        } catch (NoSpaceException e) {
            if (wantedEnd == 0) {
                throw e;
            }
            space.allocateTo(blocks(wantedEnd));
        }
        if (state.zeroAhead()) {
            space.zeroTo(Math.max(goal, wantedEnd), NEXT_STEP_BYTES);
        } else {
            space.useAllocated();
        }
        if (space.readyEnd() < Math.min(enough, space.allocatedEnd())) {
            return null;
        }
        begun = null;
        return preparing;
    }

    private PreparedSegment begin() throws IOException {
        FileLayer files = parts.files();
        Path path = state.paths().next();
        if (files.exists(path)) {
            // Left by an earlier start; never holds a frame.
            files.delete(path);
        }
        StoreFile file = files.open(path, FileLayer.Mode.CREATE_NEW);
        return new PreparedSegment(path, file, new SegmentSpace(files, path, 0));
    }

    private void extend(SegmentSpace space, long end) throws IOException {
        space.allocateTo(blocks(end));
        if (state.zeroAhead()) {
            while (space.readyEnd() < end) {
                space.zeroTo(end, NEXT_STEP_BYTES);
            }
        } else {
            space.useAllocated();
        }
    }

    void close(@Nullable PreparedSegment unused) throws IOException {
        if (activeSpace != null) {
            activeSpace.close();
        }
        for (PreparedSegment one : new PreparedSegment[] {unused, begun}) {
            if (one != null) {
                one.space().close();
                one.file().close();
            }
        }
        begun = null;
    }
}
