// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.recovery.RecoveredPartition.State;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Runs recovery and compares what it gives back with what a fixture wrote. */
final class Recovered {
    final RecoveredPartition partition;
    final ReportList reports;
    final List<Long> cuts;

    private Recovered(RecoveredPartition partition, ReportList reports, List<Long> cuts) {
        this.partition = partition;
        this.reports = reports;
        this.cuts = cuts;
    }

    static Recovered from(LogFixture log) throws IOException {
        return from(log.files, log.dataDir, log.spec, new ReportList());
    }

    static Recovered from(FileLayer files, LogFixture log) throws IOException {
        return from(files, log.dataDir, log.spec, new ReportList());
    }

    static Recovered from(FileLayer files, Path dataDir, PartitionSpec spec, ReportList reports) throws IOException {
        var cuts = new ArrayList<Long>();
        CleanMarker marker = CleanMarker.take(files, dataDir);
        var recovery = new PartitionRecovery(
                files,
                dataDir,
                reports,
                (partition, first, end) -> cuts.add(end),
                StoreObserver.NONE,
                InstantSource.system());
        return new Recovered(recovery.recover(spec, marker), reports, cuts);
    }

    List<RecoveryReport> reports() {
        return reports.list();
    }

    /** Appendable, and every frame below its end is the one that was written. */
    Recovered serves(LogFixture log) throws IOException {
        return serves(log.files, log);
    }

    Recovered serves(FileLayer files, LogFixture log) throws IOException {
        assertThat(partition.state()).as("%s", partition.damage()).isEqualTo(State.APPENDABLE);
        assertThat(cuts).containsExactly(partition.endOffset());
        return reads(files, log);
    }

    /** Every frame below the end is the one that was written, whatever the state. */
    Recovered reads(FileLayer files, LogFixture log) throws IOException {
        var found = new ArrayList<byte[]>();
        FrameChain chain = null;
        for (RecoveredSegment segment : partition.segments()) {
            try (FileFrameBytes bytes = FileFrameBytes.open(files, segment.file())) {
                var scanner = new FrameScanner(bytes, log.spec.incarnation());
                if (chain == null) {
                    chain = new FrameChain(
                            segment.baseOffset(),
                            segment.baseOffset() == 0
                                    ? FrameChain.genesis(log.spec.incarnation())
                                    : scanner.headerAt(SegmentHeader.FIRST_FRAME_POSITION)
                                            .previous(),
                            0,
                            0);
                }
                var end = scanner.scan(SegmentHeader.FIRST_FRAME_POSITION, chain, (header, crc, position, frame) -> {
                    if (position < segment.endPosition()) {
                        found.add(frame.toArray(ValueLayout.JAVA_BYTE));
                    }
                });
                chain = end.end();
            }
        }
        var expected = log.below(partition.endOffset()).stream()
                .filter(f -> f.header().baseOffset() >= partition.firstOffset())
                .toList();
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)).isEqualTo(expected.get(i).bytes());
        }
        return this;
    }

    /** Each index leads to each frame. */
    Recovered finds(LogFixture log) throws IOException {
        for (LogFixture.Written frame : log.below(partition.endOffset())) {
            if (frame.header().baseOffset() < partition.firstOffset()) {
                continue;
            }
            RecoveredSegment segment = partition.segments().stream()
                    .filter(s -> s.baseOffset() == frame.segmentBase())
                    .findFirst()
                    .orElseThrow();
            long last = frame.header().endOffset() - 1;
            assertThat(frame.position() - segment.index().floorPosition(last)).isBetween(0L, 8192L + 8000L);
            assertThat(segment.index().positionBefore(frame.header().appendTimeMicros()))
                    .isLessThanOrEqualTo(frame.position());
        }
        return this;
    }

    Recovered isRefused() {
        assertThat(partition.state()).isEqualTo(State.REFUSED);
        assertThat(cuts).isEmpty();
        assertThat(reports()).anyMatch(r -> r.action() == RecoveryReport.Action.REFUSED);
        return this;
    }

    Recovered endsAt(long offset) {
        assertThat(partition.endOffset()).isEqualTo(offset);
        return this;
    }

    Recovered reportsNothing() {
        assertThat(reports()).isEmpty();
        return this;
    }

    static Path quarantined(Path dataDir, RecoveryReport report) {
        return dataDir.resolve(report.quarantineFile());
    }

    static PartitionPaths paths(LogFixture log) {
        return log.paths;
    }
}
