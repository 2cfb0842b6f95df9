// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.repair;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.repair.RepairPlan.KeptRun;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.ScanEnd;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the segments of a repaired partition: the frames that stay, each chained to the one before it, and marked where a gap lies
 * before it. Owns the file that it writes. A crash leaves files that nothing speaks of.
 */
final class RepairWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int TAIL_BYTES = 32 << 10;

    private final FileLayer files;
    private final RepairPlan plan;
    private final PartitionPaths from;
    private final PartitionPaths to;
    private final long createdMicros;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, FrameLayout.ALIGNMENT_BYTES);
    private long buffered;
    private @Nullable StoreFile out;
    private long base;
    private long position;
    private long firstTimeMicros;
    private SparseIndex index;
    private FrameChain chain;
    private EpochHistory epochs = EpochHistory.EMPTY;
    private boolean producers;

    RepairWriter(FileLayer files, RepairPlan plan, PartitionPaths from, PartitionPaths to, long createdMicros) {
        this.files = files;
        this.plan = plan;
        this.from = from;
        this.to = to;
        this.createdMicros = createdMicros;
        this.base = plan.firstOffset();
        this.index = new SparseIndex(base);
        this.chain = FrameChain.beginning(plan.spec().incarnation());
    }

    /**
     * What was written.
     *
     * @param position byte after the last frame
     */
    record Written(long newestBase, long position, FrameChain end, EpochHistory epochs, boolean producers) {}

    Written write() throws IOException {
        List<KeptRun> runs = plan.kept();
        if (plan.firstOffset() > 0) {
            chain = new FrameChain(plan.firstOffset(), firstPrevious(), 0, 0);
        }
        long source = -1;
        for (KeptRun run : runs) {
            if (run.segmentBase() != source) {
                begin(chain.endOffset());
                source = run.segmentBase();
            }
            copy(run);
        }
        if (out == null) {
            begin(plan.firstOffset());
        }
        flush();
        requireOut().allocate(position, TAIL_BYTES);
        requireOut().syncData();
        return new Written(base, position, chain, epochs, producers);
    }

    /** When what comes before the first frame was deleted long ago, the frame goes on saying what came before it. */
    private int firstPrevious() {
        return plan.kept().isEmpty() ? 0 : plan.kept().getFirst().run().before().lastHeaderCrc();
    }

    private void begin(long newBase) throws IOException {
        seal();
        base = newBase;
        index = new SparseIndex(base);
        firstTimeMicros = 0;
        position = SegmentHeader.FIRST_FRAME_POSITION;
        StoreFile file = files.open(to.log(base), FileLayer.Mode.CREATE_NEW);
        out = file;
        MemorySegment block = MemorySegment.ofArray(new byte[SegmentHeader.BYTES]);
        new SegmentHeader(plan.spec().ref(), plan.spec().incarnation(), base, createdMicros).write(block);
        file.write(block, 0);
    }

    private void seal() throws IOException {
        if (out == null) {
            return;
        }
        flush();
        requireOut().syncData();
        requireOut().close();
        out = null;
        var summary = new SegmentSummary(base, position, firstTimeMicros, chain);
        IndexFile.write(files, to.index(base), plan.spec().incarnation(), summary, index);
    }

    private void copy(KeptRun kept) throws IOException {
        try (FileFrameBytes bytes = FileFrameBytes.open(files, from.log(kept.segmentBase()))) {
            var scanner = new FrameScanner(bytes, plan.spec().incarnation());
            ScanEnd end = scanner.scan(kept.run().position(), kept.run().before(), (header, crc, at, frame) -> {
                if (at < kept.run().endPosition()) {
                    append(header, frame);
                }
            });
            if (end.position() < kept.run().endPosition()) {
                throw new IOException(
                        "the segment at offset " + kept.segmentBase() + " changed while it was read", end.error());
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void append(FrameHeader old, MemorySegment frame) {
        long length = old.frameLength();
        FrameHeader header = old.behind(chain);
        int crc;
        try {
            if (length > BUFFER_BYTES) {
                flush();
                MemorySegment large = MemorySegment.ofArray(new byte[(int) length]);
                MemorySegment.copy(frame, 0, large, 0, length);
                crc = header.write(large, 0, position);
                requireOut().write(large, position);
            } else {
                if (buffered + length > BUFFER_BYTES) {
                    flush();
                }
                MemorySegment.copy(frame, 0, buffer, buffered, length);
                crc = header.write(buffer, buffered, position);
                buffered += length;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        index.note(header.baseOffset(), position, header.appendTimeMicros());
        firstTimeMicros = firstTimeMicros == 0 ? header.appendTimeMicros() : firstTimeMicros;
        epochs = epochs.with(header.epoch(), header.baseOffset());
        producers |= header.producer() != null;
        chain = chain.after(header, crc);
        position += length;
    }

    private void flush() throws IOException {
        if (buffered > 0) {
            requireOut().write(buffer.asSlice(0, buffered), position - buffered);
            buffered = 0;
        }
    }

    private StoreFile requireOut() {
        return java.util.Objects.requireNonNull(out, "no segment was begun");
    }

    @Override
    public void close() throws IOException {
        arena.close();
        if (out != null) {
            requireOut().close();
        }
    }
}
