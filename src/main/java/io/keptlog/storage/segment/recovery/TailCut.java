// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a diagnosed log appendable: puts a torn tail aside and takes it out of the log, then puts what is kept on stable storage. Every
 * step is synced before the next begins, and after a kill at any point the same steps lead to the same log. Used by one thread. Throws
 * IOException of the file layer: the log is then as good as before, and not appendable.
 */
final class TailCut {
    private static final Logger LOG = LoggerFactory.getLogger(TailCut.class);

    private final FileLayer files;
    private final PartitionPaths paths;
    private final PartitionSpec spec;
    private final Quarantine quarantine;
    private final PartitionReports reports;

    TailCut(
            FileLayer files,
            PartitionPaths paths,
            PartitionSpec spec,
            Quarantine quarantine,
            PartitionReports reports) {
        this.files = files;
        this.paths = paths;
        this.spec = spec;
        this.quarantine = quarantine;
        this.reports = reports;
    }

    /**
     * @param tail where the log ends
     * @return the checkpoint now on disk
     */
    Checkpoint apply(Diagnosis found, Diagnosis.Tail tail) throws IOException {
        Checkpoint evidence = found.evidence().newest();
        if (found.torn()) {
            evidence = cut(found, tail, evidence);
        }
        if (evidence != null && !found.leftovers().isEmpty()) {
            // What says that they are gone must not go itself: after a failed sync only the page cache may have it.
            CheckpointFile.put(files, paths.checkpoint(), evidence);
        }
        deleteLeftovers(found.leftovers());
        settle(tail);
        if (found.producers().forgotten()) {
            reports.producersForgotten(found.firstOffset(), found.end().endOffset());
        }
        boolean rewritten = rewriteAbove(evidence, found.segments());
        writeEpochs(found);
        Checkpoint now = checkpoint(found, tail, evidence, rewritten);
        writeIndexes(found.made());
        return now;
    }

    /**
     * Makes durable what this recovery found. A recovery before it may have been killed between a change and its sync: the change then
     * shows in the page cache, nothing is left to do, and the next power cut would bring the old names and bytes back.
     */
    private void settle(Diagnosis.Tail tail) throws IOException {
        quarantine.settle();
        files.syncDirectory(paths.directory());
        if (files.exists(tail.file())) {
            try (StoreFile file = files.open(tail.file(), FileLayer.Mode.READ_WRITE)) {
                file.syncData();
            }
        }
    }

    private @Nullable Checkpoint cut(Diagnosis found, Diagnosis.Tail tail, @Nullable Checkpoint evidence)
            throws IOException {
        String copy = null;
        if (tail.contentEnd() > tail.position()) {
            copy = quarantine.copy(
                    tail.file(), tail.position(), tail.contentEnd(), tail.end().endOffset());
        }
        reports.cut(tail, copy, describe(found, tail));
        Checkpoint lowered = evidence;
        if (evidence != null && evidence.newestSegmentBase() > tail.segmentBase()) {
            // Or else, after a kill further below, the segments put aside would be taken for lost ones.
            lowered = evidence.next(
                    evidence.firstOffset(),
                    tail.segmentBase(),
                    evidence.segmentBase(),
                    evidence.position(),
                    evidence.end());
            CheckpointFile.put(files, paths.checkpoint(), lowered);
        }
        for (FoundSegment later : found.later().reversed()) {
            String unused = quarantine.move(later.file(), later.baseOffset());
            deleteIndex(later.baseOffset());
        }
        deleteIndex(tail.segmentBase());
        zero(tail);
        return lowered;
    }

    private static String describe(Diagnosis found, Diagnosis.Tail tail) {
        return "The log ends at offset " + tail.end().endOffset() + "; "
                + (tail.contentEnd() - tail.position()) + " bytes behind it were cut"
                + (found.later().isEmpty() ? "." : " and " + found.later().size() + " later segments put aside.");
    }

    private void zero(Diagnosis.Tail tail) throws IOException {
        try (StoreFile file = files.open(tail.file(), FileLayer.Mode.READ_WRITE);
                Arena arena = Arena.ofConfined()) {
            long length = tail.contentEnd() - tail.position();
            MemorySegment zeros = arena.allocate(Math.clamp(length, 1, Limits.RECOVERY_READ_BYTES));
            for (long at = tail.position(); at < tail.contentEnd(); at += zeros.byteSize()) {
                file.write(zeros.asSlice(0, Math.min(zeros.byteSize(), tail.contentEnd() - at)), at);
            }
            file.syncData();
        }
    }

    private void deleteIndex(long baseOffset) throws IOException {
        if (files.exists(paths.index(baseOffset))) {
            files.delete(paths.index(baseOffset));
            files.syncDirectory(paths.directory());
        }
    }

    /** Oldest first, so that a kill leaves no hole. */
    private void deleteLeftovers(List<FoundSegment> leftovers) throws IOException {
        for (FoundSegment leftover : leftovers) {
            deleteIndex(leftover.baseOffset());
            files.delete(leftover.file());
            files.syncDirectory(paths.directory());
        }
    }

    /**
     * Writes every byte above the checkpoint again and syncs it. A sync alone proves nothing: after a failed write-back the kernel may
     * hold the bytes in clean pages that are not on the disk.
     */
    private boolean rewriteAbove(@Nullable Checkpoint evidence, List<RecoveredSegment> segments) throws IOException {
        long fromBase = evidence == null ? segments.getLast().baseOffset() : evidence.segmentBase();
        boolean rewritten = false;
        for (RecoveredSegment segment : segments) {
            if (segment.baseOffset() >= fromBase) {
                long from = evidence != null && segment.baseOffset() == fromBase ? evidence.position() : 0;
                rewritten |= rewrite(segment.file(), from, segment.endPosition());
            }
        }
        if (rewritten) {
            files.syncDirectory(paths.directory());
        }
        return rewritten;
    }

    private boolean rewrite(Path path, long from, long to) throws IOException {
        if (from >= to) {
            return false;
        }
        try (StoreFile file = files.open(path, FileLayer.Mode.READ_WRITE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment chunk = arena.allocate(Math.min(to - from, Limits.RECOVERY_READ_BYTES));
            for (long at = from; at < to; at += chunk.byteSize()) {
                MemorySegment part = chunk.asSlice(0, Math.min(chunk.byteSize(), to - at));
                if (file.read(part, at) != part.byteSize()) {
                    throw new IOException(path + " became shorter while it was recovered");
                }
                file.write(part, at);
            }
            file.syncData();
        }
        return true;
    }

    /** Before the checkpoint, which must not pass the beginning of an epoch that the file does not know. */
    private void writeEpochs(Diagnosis found) throws IOException {
        if (found.epochsDamaged()) {
            reports.epochsRebuilt(found.firstOffset(), found.end().endOffset());
        }
        EpochHistory onDisk = found.epochsOnDisk();
        boolean known = onDisk != null && onDisk.from(found.firstOffset()).equals(found.epochs());
        if (!known && (found.epochsDamaged() || !found.epochs().entries().isEmpty())) {
            EpochFile.write(files, paths.epochs(), spec.incarnation(), found.epochs());
        }
    }

    private Checkpoint checkpoint(
            Diagnosis found, Diagnosis.Tail tail, @Nullable Checkpoint evidence, boolean rewritten) throws IOException {
        if (found.evidence().damaged()) {
            reports.checkpointRebuilt(tail.end().endOffset());
        }
        Checkpoint before = evidence == null ? Checkpoint.beginning(spec.incarnation()) : evidence;
        Checkpoint now = before.next(
                        found.firstOffset(), tail.segmentBase(), tail.segmentBase(), tail.position(), tail.end())
                .withProducers(found.producers().seen());
        if (evidence != null && !rewritten && !found.evidence().damaged() && now.saysTheSameAs(evidence)) {
            return evidence;
        }
        boolean fresh = !files.exists(paths.checkpoint());
        CheckpointFile.put(files, paths.checkpoint(), now);
        if (fresh) {
            files.syncDirectory(paths.directory());
        }
        if (evidence == null) {
            // Both slots were bad: the other one too, so that the next start finds nothing damaged.
            now = now.after(now);
            CheckpointFile.put(files, paths.checkpoint(), now);
        }
        return now;
    }

    private void writeIndexes(List<Diagnosis.MadeIndex> made) {
        for (Diagnosis.MadeIndex one : made) {
            RecoveredSegment segment = one.segment();
            try {
                if (one.lost()) {
                    reports.indexRebuilt(segment.summary());
                }
                IndexFile.write(
                        files,
                        paths.index(segment.baseOffset()),
                        spec.incarnation(),
                        segment.summary(),
                        segment.index());
            } catch (IOException | KeptlogException e) {
                // The index is a cache: the one in memory serves, and the next start makes it again.
                LOG.warn("index {} could not be written", paths.index(segment.baseOffset()), e);
            }
        }
    }
}
