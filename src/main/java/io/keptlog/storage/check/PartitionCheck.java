// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.check.Finding.Severity;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.ProducersFile;
import io.keptlog.storage.segment.recovery.RecoveryPreview;
import io.keptlog.storage.segment.scan.SegmentWalk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies one partition: every byte of every segment, every index, the checkpoint, epochs and producers, and whether a start would take
 * the log as whole. Of a partition in use, what lies behind the end that was looked at first is left to its writer.
 */
final class PartitionCheck {
    private final FileLayer files;
    private final Path root;
    private final PartitionSpec spec;
    private final PartitionPaths paths;
    private final boolean inUse;
    private final Findings findings;
    private final String component;

    PartitionCheck(FileLayer files, Path root, PartitionSpec spec, boolean inUse, Findings findings) {
        this.files = files;
        this.root = root;
        this.spec = spec;
        this.paths = PartitionPaths.inPlace(root, spec.ref());
        this.inUse = inUse;
        this.findings = findings;
        this.component = "partition " + spec.ref();
    }

    void run(@Nullable Checkpoint cleanEnd) throws IOException {
        findings.partitions++;
        RecoveryPreview start = look(cleanEnd);
        RecoveryPreview.Damage damage = start.damage();
        if (damage != null && damage.found() == Found.MISSING_PARTITION) {
            findings.add(Severity.DAMAGE, component, damage.found(), paths.directory(), damage.reason());
            return;
        }
        int before = findings.list().size();
        segments(start);
        boolean explained = damage != null
                && findings.list().stream()
                        .skip(before)
                        .anyMatch(f -> f.severity() == Severity.DAMAGE && f.fromOffset() == damage.fromOffset());
        if (damage != null && !explained) {
            findings.add(new Finding(
                    Severity.DAMAGE,
                    component,
                    damage.found(),
                    findings.relative(paths.directory()),
                    damage.fromOffset(),
                    damage.toOffset(),
                    damage.position(),
                    -1,
                    damage.reason()));
        }
        smallFiles(start);
    }

    /** A log in use may have moved between two of its files: what is damage is so when it is looked at again. */
    private RecoveryPreview look(@Nullable Checkpoint cleanEnd) {
        RecoveryPreview seen = RecoveryPreview.of(files, root, spec, cleanEnd);
        return seen.damage() != null && inUse ? RecoveryPreview.of(files, root, spec, cleanEnd) : seen;
    }

    private List<Long> bases(long firstOffset) throws IOException {
        List<Long> bases = new ArrayList<>();
        for (Path file : files.list(paths.directory())) {
            PartitionPaths.logBase(file).ifPresent(bases::add);
        }
        bases.removeIf(base -> base < firstOffset);
        bases.sort(null);
        return bases;
    }

    private void segments(RecoveryPreview start) throws IOException {
        List<Long> bases = bases(start.firstOffset());
        FrameChain chain = null;
        for (int i = 0; i < bases.size(); i++) {
            long base = bases.get(i);
            boolean last = i == bases.size() - 1;
            if (chain != null && chain.endOffset() != base) {
                missing(chain.endOffset(), base, start);
                chain = null;
            }
            try {
                chain = segment(base, last, chain, start);
            } catch (NoSuchFileException e) {
                if (!inUse) {
                    throw e;
                }
                chain = null; // Retention took it.
            }
        }
    }

    /** @return the point after it, null when it tells nothing of what follows */
    private @Nullable FrameChain segment(long base, boolean last, @Nullable FrameChain before, RecoveryPreview start)
            throws IOException {
        var check = new SegmentCheck(files, paths, spec, findings, component);
        SegmentCheck.Walked walked = check.walk(base, before);
        if (walked == null) {
            if (isTorn(base, 0, start)) {
                return null;
            }
            findings.add(
                    Severity.DAMAGE,
                    component,
                    Found.MISSING_SEGMENT,
                    paths.log(base),
                    "It is no segment of this partition, or its header is damaged.");
            return null;
        }
        SegmentWalk.Result result = walked.result();
        for (SegmentWalk.Hole hole : result.holes()) {
            hole(base, last, hole, start);
        }
        for (long odd : result.oddFrames()) {
            findings.add(new Finding(
                    Severity.DAMAGE,
                    component,
                    Found.INTERIOR_DAMAGE,
                    findings.relative(paths.log(base)),
                    -1,
                    -1,
                    odd,
                    -1,
                    "The checksum of the frame at byte " + odd + " is right, but its records do not fill it."));
        }
        if (!last) {
            check.index(walked);
        }
        return result.end();
    }

    private void hole(long base, boolean last, SegmentWalk.Hole hole, RecoveryPreview start) {
        boolean torn = isTorn(base, hole.position(), start);
        if (torn && inUse) {
            return; // Being written, or appended since.
        }
        String what = torn ? "a write that a crash tore; the next start cuts it" : "damage (" + hole.stop() + ")";
        String beyond = hole.toOffset() >= 0 ? " The log is intact again from offset " + hole.toOffset() + " on." : "";
        findings.add(new Finding(
                torn ? Severity.CRASH : Severity.DAMAGE,
                component,
                torn ? Found.TORN_TAIL : Found.INTERIOR_DAMAGE,
                findings.relative(paths.log(base)),
                hole.fromOffset(),
                hole.toOffset() >= 0 || torn || last ? hole.toOffset() : hole.fromOffset(),
                hole.position(),
                hole.endPosition(),
                "Bytes " + hole.position() + " to " + hole.endPosition() + " are " + what + "." + beyond));
    }

    /** Whether a start would take this place for the torn end of the log. */
    private static boolean isTorn(long base, long position, RecoveryPreview start) {
        return start.damage() == null
                && (base > start.tailBase() || (base == start.tailBase() && position >= start.tailPosition()));
    }

    private void missing(long fromOffset, long toOffset, RecoveryPreview start) {
        if (start.damage() == null && fromOffset >= start.endOffset()) {
            return; // Behind a torn tail.
        }
        findings.add(new Finding(
                Severity.DAMAGE,
                component,
                Found.MISSING_SEGMENT,
                findings.relative(paths.directory()),
                fromOffset,
                toOffset,
                -1,
                -1,
                "Nothing holds the messages from offset " + fromOffset + " to " + toOffset + "."));
    }

    private void smallFiles(RecoveryPreview start) throws IOException {
        if (start.checkpointDamaged()) {
            findings.add(
                    Severity.DAMAGE,
                    component,
                    Found.DAMAGED_CHECKPOINT,
                    paths.checkpoint(),
                    "The checkpoint is missing or damaged: what it proved is no longer known.");
        }
        boolean epochs =
                !files.exists(paths.epochs()) || EpochFile.read(files, paths.epochs(), spec.incarnation()) != null;
        if (start.epochsDamaged() || !epochs) {
            findings.add(
                    Severity.DAMAGE,
                    component,
                    Found.DAMAGED_INDEX,
                    paths.epochs(),
                    "The list of epochs does not fit the frames; the next start makes it again.");
        }
        if (files.exists(paths.producers())
                && ProducersFile.read(files, paths.producers(), spec.incarnation()) == null) {
            findings.add(
                    Severity.DAMAGE,
                    component,
                    Found.DAMAGED_INDEX,
                    paths.producers(),
                    "What it says of producers does not prove itself; the next start makes it again.");
        }
    }
}
