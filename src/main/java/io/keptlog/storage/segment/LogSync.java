// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.sync.Syncable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one log is synced: sealed segments first, in order, then the active one; the directory when a name in it is new; only then the
 * synced end moves. In the common case that is one sync of one file.
 * <p>Called by the sync owner, one call at a time. A crash leaves the synced end where it was or where the sync brought it. Throws what
 * the file layer throws; the owner then fences the log.
 */
final class LogSync implements Syncable {
    private static final Logger LOG = LoggerFactory.getLogger(LogSync.class);

    private final LogState state;
    private final StoreParts parts;
    private final LogRoller roller;
    private final LogCheckpoints checkpoints;
    private final LogProducers producers;
    private final Runnable wakeAppenders;
    private final List<Segment> sealedNow = new ArrayList<>();

    LogSync(
            LogState state,
            StoreParts parts,
            LogRoller roller,
            LogCheckpoints checkpoints,
            LogProducers producers,
            Runnable wakeAppenders) {
        this.state = state;
        this.parts = parts;
        this.roller = roller;
        this.checkpoints = checkpoints;
        this.producers = producers;
        this.wakeAppenders = wakeAppenders;
    }

    @Override
    public String component() {
        return "partition " + state.spec().ref();
    }

    @Override
    public boolean dirty() {
        return state.dirty() || roller.firstUnsynced() != null;
    }

    @Override
    public long sync() throws IOException {
        long start = System.nanoTime();
        Tail covers = state.tail();
        Segment active = java.util.Objects.requireNonNull(covers.segment());
        SegmentWriter writer = java.util.Objects.requireNonNull(covers.writer());
        boolean newName = !writer.nameDurable();
        for (Tail sealed = roller.firstUnsynced(); sealed != null; sealed = roller.firstUnsynced()) {
            Segment segment = java.util.Objects.requireNonNull(sealed.segment());
            if (segment.baseOffset() >= active.baseOffset()) {
                break;
            }
            SegmentWriter sealedWriter = java.util.Objects.requireNonNull(sealed.writer());
            sealedWriter.sync();
            newName |= !sealedWriter.nameDurable();
            sealedWriter.close();
            roller.firstIsSynced();
            sealedNow.add(segment);
        }
        writer.sync();
        if (newName) {
            syncNames();
            writer.nameIsDurable();
        }
        state.synced(covers);
        if (state.dirty()) {
            // What is unsynced now was appended after this sync had begun.
            state.dirtySince(start);
        }
        return covers.endOffset();
    }

    private void syncNames() throws IOException {
        try {
            state.inPlace(() -> parts.files().syncDirectory(state.paths().directory()));
        } catch (IOException e) {
            if (!state.condition().deleted()) {
                throw e;
            }
            // Deleted meanwhile: the directory is on its way out, and no name in it matters.
        }
    }

    @Override
    public void synced() throws IOException {
        try {
            afterSync();
        } catch (NoSpaceException e) {
            // Evidence and caches are written by a later sync; what was acknowledged does not need them.
            parts.observer().noSpace();
        } catch (IOException e) {
            if (!state.condition().deleted()) {
                throw e;
            }
        }
    }

    private void afterSync() throws IOException {
        producers.synced();
        if (sealedNow.isEmpty()) {
            checkpoints.synced();
            return;
        }
        checkpoints.sync();
        for (Segment segment : sealedNow) {
            parts.preparer().execute(() -> writeIndex(segment));
        }
        sealedNow.clear();
    }

    /** A cache: when it cannot be written it is made again from the frames. */
    private void writeIndex(Segment segment) {
        SegmentSummary summary = segment.sealed();
        if (summary == null) {
            return;
        }
        try {
            state.inPlace(() -> {
                if (parts.files().exists(segment.file())) {
                    Path index = state.paths().index(segment.baseOffset());
                    IndexFile.write(parts.files(), index, state.spec().incarnation(), summary, segment.index());
                }
            });
        } catch (IOException e) {
            if (state.condition().deleted()) {
                return;
            }
            LOG.warn("{}: no index file for the segment at {}", component(), segment.baseOffset(), e);
        }
    }

    @Override
    public boolean fenced(Throwable cause) {
        boolean news = state.fence("a write or sync failed; a restart verifies what is on the disk.");
        wakeAppenders.run();
        return news;
    }
}
