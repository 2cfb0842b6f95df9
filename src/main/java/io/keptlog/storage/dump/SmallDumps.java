// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.producer.ProducerState;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.ProducersFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Dumps the files beside the segments. */
final class SmallDumps {
    private static final int CHECKPOINT_SLOT_BYTES = 4096;
    private static final int INDEX_INCARNATION_AT = 16;
    private static final int INCARNATION_AT = 8;

    private SmallDumps() {}

    static void index(FileLayer files, Path file, DumpRange range, DumpSink sink) throws IOException {
        long base = PartitionPaths.indexBase(file).orElseThrow();
        long incarnation = start(files, file).get(FrameLayout.U64, INDEX_INCARNATION_AT);
        IndexFile.Content content = IndexFile.read(files, file, incarnation, base);
        if (content == null) {
            damaged("index", sink);
            return;
        }
        sink.line(Line.of("index")
                .hex("incarnation", incarnation)
                .with("base_offset", base)
                .with("end_offset", content.summary().endOffset())
                .with("end_position", content.summary().endPosition())
                .with("entries", content.entries().size())
                .values());
        List<IndexFile.Entry> entries = content.entries();
        int from = (int) Math.min(range.from(), entries.size());
        int to = (int) Math.min(entries.size(), from + Math.min(range.count(), entries.size()));
        for (int i = from; i < to; i++) {
            IndexFile.Entry entry = entries.get(i);
            sink.line(Line.of("entry")
                    .with("number", i)
                    .with("offset", entry.offset())
                    .with("position", entry.position())
                    .time("append_time", entry.appendTimeMicros())
                    .values());
        }
    }

    static void checkpoint(FileLayer files, Path file, DumpSink sink) throws IOException {
        MemorySegment bytes = start(files, file);
        for (int slot = 0; slot < 2; slot++) {
            Checkpoint found = Checkpoint.read(bytes, (long) slot * CHECKPOINT_SLOT_BYTES);
            Line line = Line.of("checkpoint").with("slot", slot);
            sink.line((found == null ? line.with("valid", false) : describe(line, found)).values());
        }
    }

    private static Line describe(Line line, Checkpoint found) {
        return line.with("sequence", found.sequence())
                .hex("incarnation", found.incarnation())
                .with("first_offset", found.firstOffset())
                .with("newest_segment", found.newestSegmentBase())
                .with("segment", found.segmentBase())
                .with("position", found.position())
                .with("persisted_end_offset", found.endOffset())
                .hex("last_header_crc", found.end().lastHeaderCrc())
                .with("epoch", found.end().epoch())
                .time("append_time", found.end().lastAppendTimeMicros())
                .with("producers", found.producers());
    }

    static void epochs(FileLayer files, Path file, DumpSink sink) throws IOException {
        EpochHistory history = EpochFile.read(files, file, start(files, file).get(FrameLayout.U64, INCARNATION_AT));
        if (history == null) {
            damaged("epochs", sink);
            return;
        }
        for (EpochHistory.Entry entry : history.entries()) {
            sink.line(Line.of("epoch")
                    .with("epoch", entry.epoch())
                    .with("base_offset", entry.baseOffset())
                    .values());
        }
    }

    static void producers(FileLayer files, Path file, DumpSink sink) throws IOException {
        ProducersFile.Content content =
                ProducersFile.read(files, file, start(files, file).get(FrameLayout.U64, INCARNATION_AT));
        if (content == null) {
            damaged("producers", sink);
            return;
        }
        sink.line(Line.of("producers")
                .with("segment", content.point().segmentBase())
                .with("position", content.point().position())
                .with("end_offset", content.point().chain().endOffset())
                .values());
        for (ProducerState producer : content.states().list()) {
            sink.line(Line.of("producer").with("state", producer.toString()).values());
        }
    }

    static void clean(FileLayer files, Path file, DumpSink sink) throws IOException {
        CleanMarker marker = CleanMarker.read(
                files, Objects.requireNonNull(file.toAbsolutePath().getParent()));
        sink.line(
                Line.of("clean").with("partitions", marker.partitions().size()).values());
        for (Map.Entry<PartitionRef, Checkpoint> one : marker.partitions().entrySet()) {
            sink.line(
                    describe(Line.of("clean_end").with("partition", one.getKey().toString()), one.getValue())
                            .values());
        }
    }

    private static void damaged(String what, DumpSink sink) {
        sink.line(Line.of(what).with("damaged", true).values());
    }

    /** The first bytes of a file, zeros where it ends before. */
    private static MemorySegment start(FileLayer files, Path file) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[2 * CHECKPOINT_SLOT_BYTES]);
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            int unused = in.read(bytes, 0);
        }
        return bytes;
    }
}
