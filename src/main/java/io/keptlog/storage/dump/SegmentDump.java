// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordReader;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.SegmentWalk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Dumps a segment: its header, its frames, what lies between intact frames, and where it ends. Used once. */
final class SegmentDump {
    private final FileLayer files;
    private final Path file;
    private final DumpRange range;
    private final DumpSink sink;
    private long shown;

    SegmentDump(FileLayer files, Path file, DumpRange range, DumpSink sink) {
        this.files = files;
        this.file = file;
        this.range = range;
        this.sink = sink;
    }

    void run() throws IOException {
        long base = PartitionPaths.logBase(file).orElseThrow();
        MemorySegment start = MemorySegment.ofArray(new byte[SegmentHeader.BYTES + FrameLayout.HEADER_BYTES]);
        int read;
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            read = in.read(start, 0);
        }
        SegmentHeader header = SegmentHeader.read(start.asSlice(0, read));
        header(header);
        long incarnation = header != null
                ? header.incarnation()
                : start.get(FrameLayout.U64, SegmentHeader.BYTES + FrameLayout.INCARNATION);
        try (FileFrameBytes bytes = FileFrameBytes.open(files, file)) {
            FrameHeader first = new FrameScanner(bytes, incarnation).headerAt(SegmentHeader.FIRST_FRAME_POSITION);
            FrameChain chain = new FrameChain(base, first == null ? 0 : first.previous(), 0, 0);
            SegmentWalk.Result result = SegmentWalk.walk(bytes, incarnation, chain, this::frame);
            for (SegmentWalk.Hole hole : result.holes()) {
                sink.line(Line.of("hole")
                        .with("position", hole.position())
                        .with("end_position", hole.endPosition())
                        .with("from_offset", hole.fromOffset())
                        .with("to_offset", hole.toOffset())
                        .with("stop", hole.stop().name().toLowerCase(java.util.Locale.ROOT))
                        .values());
            }
            sink.line(Line.of("end")
                    .with("position", result.endPosition())
                    .with("end_offset", result.end().endOffset())
                    .with("file_bytes", bytes.sizeBytes())
                    .values());
        }
    }

    private void header(@Nullable SegmentHeader header) {
        if (header == null) {
            sink.line(Line.of("segment").with("damaged", true).values());
            return;
        }
        sink.line(Line.of("segment")
                .with("partition", header.ref().toString())
                .hex("incarnation", header.incarnation())
                .with("base_offset", header.baseOffset())
                .time("created", header.createdMicros())
                .values());
    }

    private void frame(FrameHeader header, int crc, long position, MemorySegment bytes) {
        if (header.endOffset() <= range.from() || shown >= range.count()) {
            return;
        }
        shown++;
        Line line = Line.of("frame")
                .with("position", position)
                .with("length", header.frameLength())
                .with("base_offset", header.baseOffset())
                .with("count", header.count())
                .time("append_time", header.appendTimeMicros())
                .with("epoch", header.epoch())
                .hex("header_crc", crc)
                .hex("previous", header.previous())
                .with("stable_offset", header.stableOffset());
        ProducerStamp producer = header.producer();
        if (producer != null) {
            line.with("producer_id", Long.toUnsignedString(producer.producerId()))
                    .with("producer_epoch", Integer.toUnsignedLong(producer.epoch()))
                    .with("producer_sequence", producer.sequence());
        }
        if (header.afterGap()) {
            line.with("after_gap", true);
        }
        sink.line(line.values());
        if (range.messages()) {
            messages(header, bytes);
        }
    }

    private void messages(FrameHeader header, MemorySegment frame) {
        MemorySegment body = frame.asSlice(FrameLayout.HEADER_BYTES, header.bodyLength());
        var reader = new RecordReader(
                new RecordRun(body, header.baseOffset(), header.count(), header.appendTimeMicros(), header.epoch()));
        while (reader.next()) {
            if (reader.offset() < range.from()) {
                continue;
            }
            int shownBytes = Math.min(range.payloadBytes(), reader.payloadLength());
            byte[] payload = reader.records()
                    .asSlice(reader.payloadPosition(), shownBytes)
                    .toArray(ValueLayout.JAVA_BYTE);
            sink.line(Line.of("message")
                    .with("offset", reader.offset())
                    .with("id", String.format("%016x%016x", reader.idHigh(), reader.idLow()))
                    .with("origin_timestamp", reader.originTimestampMicros())
                    .with("headers_length", reader.headersLength())
                    .with("payload_length", reader.payloadLength())
                    .with("payload", Base64.getEncoder().encodeToString(payload))
                    .values());
        }
    }
}
