// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.repair;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.repair.RepairPlan.KeptRun;
import io.keptlog.storage.repair.RepairPlan.Lost;
import io.keptlog.storage.repair.RepairPlan.Mode;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.recovery.RecoveryPreview;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.FrameVisitor;
import io.keptlog.storage.segment.scan.SegmentWalk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads all of a partition and decides what stays. Changes nothing; used once, by one thread. */
public final class RepairPlanner {
    private final FileLayer files;
    private final PartitionSpec spec;
    private final PartitionPaths paths;
    private final Mode mode;
    private final RecoveryPreview start;
    private final List<KeptRun> kept = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();
    private long end;
    private boolean cut;
    private @Nullable String damage;

    private RepairPlanner(FileLayer files, PartitionSpec spec, PartitionPaths paths, Mode mode, RecoveryPreview start) {
        this.files = files;
        this.spec = spec;
        this.paths = paths;
        this.mode = mode;
        this.start = start;
        this.end = start.firstOffset();
    }

    /** @param cleanEnd where the log ended at the last graceful stop, when that is known */
    public static RepairPlan plan(
            FileLayer files, Path dataDir, PartitionSpec spec, @Nullable Checkpoint cleanEnd, Mode mode)
            throws IOException {
        var paths = PartitionPaths.inPlace(dataDir, spec.ref());
        RecoveryPreview start = RecoveryPreview.of(files, dataDir, spec, cleanEnd);
        return new RepairPlanner(files, spec, paths, mode, start).run();
    }

    private RepairPlan run() throws IOException {
        RecoveryPreview.Damage refused = start.damage();
        damage = refused == null ? null : refused.reason();
        FrameChain chain = null;
        for (long base : bases()) {
            if (!hasHeader(base)) {
                note("The segment at offset " + base + " has no header that proves itself.");
                chain = null;
                continue;
            }
            chain = segment(base, chain);
        }
        if (!cut) {
            loseUpTo(knownEnd());
        }
        return new RepairPlan(spec, mode, damage, kept, lost, start.firstOffset(), end, start.evidence());
    }

    /** The highest end that the checkpoint, or anything behind the damage, speaks of. */
    private long knownEnd() {
        RecoveryPreview.Damage refused = start.damage();
        Checkpoint evidence = start.evidence();
        return Math.max(refused == null ? -1 : refused.toOffset(), evidence == null ? -1 : evidence.endOffset());
    }

    private List<Long> bases() throws IOException {
        List<Long> bases = new ArrayList<>();
        if (files.isDirectory(paths.directory())) {
            for (Path file : files.list(paths.directory())) {
                PartitionPaths.logBase(file).ifPresent(bases::add);
            }
        }
        bases.removeIf(base -> base < start.firstOffset());
        bases.sort(null);
        return bases;
    }

    private @Nullable FrameChain segment(long base, @Nullable FrameChain before) throws IOException {
        try (FileFrameBytes bytes = FileFrameBytes.open(files, paths.log(base))) {
            FrameChain chain = before != null && before.endOffset() == base ? before : anchor(bytes, base);
            SegmentWalk.Result walked = SegmentWalk.walk(bytes, spec.incarnation(), chain, FrameVisitor.NONE);
            for (SegmentWalk.Run run : walked.runs()) {
                take(base, run);
            }
            for (SegmentWalk.Hole hole : walked.holes()) {
                boolean torn =
                        start.damage() == null && base >= start.tailBase() && hole.position() >= start.tailPosition();
                if (!torn) {
                    note("Bytes " + hole.position() + " to " + hole.endPosition() + " of the segment at offset " + base
                            + " are damaged.");
                }
            }
            return walked.end();
        }
    }

    private void note(String reason) {
        damage = damage == null ? reason : damage;
    }

    private void take(long base, SegmentWalk.Run run) {
        long from = run.before().endOffset();
        if (from < end) {
            return; // Its offsets are there already.
        }
        if (from > end) {
            note("The messages from offset " + end + " to " + from + " are missing.");
            cut |= mode == Mode.CUT;
        }
        if (cut) {
            loseUpTo(run.end().endOffset());
            return;
        }
        loseUpTo(from);
        kept.add(new KeptRun(base, run));
        end = run.end().endOffset();
    }

    private void loseUpTo(long offset) {
        long from = lost.isEmpty() ? end : Math.max(end, lost.getLast().toOffset());
        if (offset <= from) {
            return;
        }
        if (!lost.isEmpty() && lost.getLast().toOffset() == from) {
            from = lost.removeLast().fromOffset();
        }
        lost.add(new Lost(from, offset));
    }

    private FrameChain anchor(FileFrameBytes bytes, long base) throws IOException {
        if (base == 0) {
            return FrameChain.beginning(spec.incarnation());
        }
        FrameHeader first = new FrameScanner(bytes, spec.incarnation()).headerAt(SegmentHeader.FIRST_FRAME_POSITION);
        return new FrameChain(base, first == null ? 0 : first.previous(), 0, 0);
    }

    private boolean hasHeader(long base) throws IOException {
        MemorySegment block = MemorySegment.ofArray(new byte[SegmentHeader.BYTES]);
        try (StoreFile file = files.open(paths.log(base), FileLayer.Mode.READ)) {
            SegmentHeader header = SegmentHeader.read(block.asSlice(0, file.read(block, 0)));
            return header != null && header.belongsTo(spec.ref(), spec.incarnation(), base);
        } catch (IOException e) {
            note("The segment at offset " + base + " cannot be read: " + e.getMessage());
            return false;
        }
    }
}
