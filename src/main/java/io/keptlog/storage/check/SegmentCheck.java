// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.check.Finding.Severity;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.FrameVisitor;
import io.keptlog.storage.segment.scan.SegmentWalk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Walks one segment file and its index. */
final class SegmentCheck {
    private static final long PROGRESS_STEP_BYTES = 1 << 20;

    private final FileLayer files;
    private final PartitionPaths paths;
    private final PartitionSpec spec;
    private final Findings findings;
    private final String component;

    SegmentCheck(FileLayer files, PartitionPaths paths, PartitionSpec spec, Findings findings, String component) {
        this.files = files;
        this.paths = paths;
        this.spec = spec;
        this.findings = findings;
        this.component = component;
    }

    /** A walked segment. */
    record Walked(long baseOffset, SegmentWalk.Result result, long firstAppendTimeMicros) {
        boolean isWhole() {
            return result.holes().isEmpty();
        }

        SegmentSummary summary() {
            return new SegmentSummary(baseOffset, result.endPosition(), firstAppendTimeMicros, result.end());
        }
    }

    /** @return null when the file is no segment of this place and life */
    @Nullable
    Walked walk(long base, @Nullable FrameChain before) throws IOException {
        Path log = paths.log(base);
        findings.segments++;
        if (!hasHeader(log, base)) {
            return null;
        }
        try (FileFrameBytes bytes = FileFrameBytes.open(files, log)) {
            var tally = new Tally(findings);
            FrameChain chain = before != null ? before : anchor(bytes, base);
            SegmentWalk.Result result = SegmentWalk.walk(bytes, spec.incarnation(), chain, tally);
            findings.read(Math.max(0, bytes.sizeBytes() - tally.toldBytes));
            return new Walked(base, result, tally.firstAppendTimeMicros);
        }
    }

    private boolean hasHeader(Path log, long base) throws IOException {
        MemorySegment block = MemorySegment.ofArray(new byte[SegmentHeader.BYTES]);
        try (StoreFile file = files.open(log, FileLayer.Mode.READ)) {
            int read = file.read(block, 0);
            SegmentHeader header = SegmentHeader.read(block.asSlice(0, read));
            return header != null && header.belongsTo(spec.ref(), spec.incarnation(), base);
        }
    }

    private FrameChain anchor(FileFrameBytes bytes, long base) throws IOException {
        if (base == 0) {
            return FrameChain.beginning(spec.incarnation());
        }
        FrameHeader first = new FrameScanner(bytes, spec.incarnation()).headerAt(SegmentHeader.FIRST_FRAME_POSITION);
        return new FrameChain(base, first == null ? 0 : first.previous(), 0, 0);
    }

    /** An index that is not there is made again when it is needed; one that is there must fit. */
    void index(Walked walked) throws IOException {
        Path path = paths.index(walked.baseOffset());
        if (!walked.isWhole() || !files.exists(path)) {
            return;
        }
        String wrong = wrong(path, walked);
        if (wrong != null) {
            findings.add(
                    Severity.DAMAGE, component, Found.DAMAGED_INDEX, path, wrong + " The next start makes it again.");
        }
    }

    private @Nullable String wrong(Path path, Walked walked) throws IOException {
        IndexFile.Content index = IndexFile.read(files, path, spec.incarnation(), walked.baseOffset());
        if (index == null) {
            return "The index does not prove itself.";
        }
        if (!index.summary().equals(walked.summary())) {
            return "The index speaks of another end than the segment has.";
        }
        try (FileFrameBytes bytes = FileFrameBytes.open(files, paths.log(walked.baseOffset()))) {
            var scanner = new FrameScanner(bytes, spec.incarnation());
            for (IndexFile.Entry entry : index.entries()) {
                FrameHeader header = scanner.headerAt(entry.position());
                if (header == null
                        || header.baseOffset() != entry.offset()
                        || header.appendTimeMicros() != entry.appendTimeMicros()) {
                    return "The index has an entry for offset " + entry.offset() + " at byte " + entry.position()
                            + ", where no such frame begins.";
                }
            }
        }
        return null;
    }

    /** Counts frames and tells of the progress. */
    private static final class Tally implements FrameVisitor {
        private final Findings findings;
        private long firstAppendTimeMicros;
        private long toldBytes;

        Tally(Findings findings) {
            this.findings = findings;
        }

        @Override
        public void frame(FrameHeader header, int headerCrc, long position, MemorySegment bytes) {
            findings.frames++;
            findings.messages += header.count();
            if (firstAppendTimeMicros == 0) {
                firstAppendTimeMicros = header.appendTimeMicros();
            }
            long end = position + header.frameLength();
            if (end - toldBytes >= PROGRESS_STEP_BYTES) {
                findings.read(end - toldBytes);
                toldBytes = end;
            }
        }
    }
}
