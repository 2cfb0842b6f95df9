// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.FrameVisitor;
import io.keptlog.storage.segment.scan.SegmentWalk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads sealed segments again, all of them one after the other and then from the beginning, at a bounded rate, so that damage is found
 * while there is still a backup. What it finds is reported once and shown by health; nothing is changed, and the log goes on.
 * <p>One thread of its own. A crash leaves nothing of it: a start begins anew. Bytes per second.
 */
public final class Scrub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);

    private final PartitionLogs logs;
    private final FileLayer files;
    private final RecoveryReports reports;
    private final StoreObserver observer;
    private final InstantSource clock;
    private final ScrubPace pace;
    private final long everyNanos;
    private final Thread thread;
    /** What was reported since the start: segment by its partition's life and base. */
    private final Set<Reported> reported = new HashSet<>();

    private record Reported(long incarnation, long baseOffset) {}

    /**
     * @param bytesPerSecond at least 1
     * @param everyMillis a pass does not begin sooner than this after the one before it began
     */
    public Scrub(
            PartitionLogs logs,
            FileLayer files,
            RecoveryReports reports,
            StoreObserver observer,
            InstantSource clock,
            ThreadFactory threads,
            long bytesPerSecond,
            long everyMillis) {
        this.logs = logs;
        this.files = files;
        this.reports = reports;
        this.observer = observer;
        this.clock = clock;
        this.pace = new ScrubPace(bytesPerSecond);
        this.everyNanos = TimeUnit.MILLISECONDS.toNanos(everyMillis);
        this.thread = threads.newThread(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!pace.isClosed()) {
            long began = System.nanoTime();
            try {
                pass();
            } catch (RuntimeException e) {
                LOG.error("The scrub met an unexpected failure and begins anew", e);
            }
            pace.rest(everyNanos - (System.nanoTime() - began));
        }
    }

    private void pass() {
        for (PartitionLog log : logs.all()) {
            if (log instanceof SegmentLog segmentLog) {
                for (Segment segment : segmentLog.state().segments().segments()) {
                    SegmentSummary summary = segment.sealed();
                    if (summary != null && !pace.isClosed()) {
                        scrub(segmentLog, segment, summary);
                    }
                }
            }
        }
    }

    private void scrub(SegmentLog log, Segment segment, SegmentSummary summary) {
        PartitionSpec spec = log.spec();
        try (FileFrameBytes bytes = FileFrameBytes.open(files, segment.file())) {
            FrameHeader first =
                    new FrameScanner(bytes, spec.incarnation()).headerAt(SegmentHeader.FIRST_FRAME_POSITION);
            var start = new FrameChain(summary.baseOffset(), first == null ? 0 : first.previous(), 0, 0);
            SegmentWalk.Result walked = SegmentWalk.walk(
                    pace.paced(bytes, summary.endPosition()), spec.incarnation(), start, FrameVisitor.NONE);
            if (pace.isClosed()) {
                return;
            }
            observer.scrubbed(summary.endPosition());
            judge(log, segment, summary, walked);
        } catch (NoSuchFileException e) {
            // Retention or a delete took it.
            LOG.debug("{} is gone", segment.file());
        } catch (IOException e) {
            if (!pace.isClosed()) {
                damaged(
                        log,
                        segment,
                        summary.baseOffset(),
                        summary.endOffset(),
                        -1,
                        "It cannot be read: " + e.getMessage());
            }
        }
    }

    private void judge(SegmentLog log, Segment segment, SegmentSummary summary, SegmentWalk.Result walked) {
        List<SegmentWalk.Hole> holes = walked.holes();
        if (!holes.isEmpty()) {
            SegmentWalk.Hole hole = holes.getFirst();
            long to = hole.toOffset() >= 0 ? hole.toOffset() : summary.endOffset();
            damaged(
                    log,
                    segment,
                    hole.fromOffset(),
                    to,
                    hole.position(),
                    "Bytes " + hole.position() + " to " + hole.endPosition() + " are not what was written ("
                            + hole.stop() + ").");
        } else if (!walked.end().equals(summary.end())) {
            damaged(
                    log,
                    segment,
                    walked.end().endOffset(),
                    summary.endOffset(),
                    walked.endPosition(),
                    "Its frames end at offset " + walked.end().endOffset() + ".");
        }
    }

    private void damaged(SegmentLog log, Segment segment, long from, long to, long position, String what) {
        PartitionSpec spec = log.spec();
        if (log.state().condition().deleted()
                || !reported.add(new Reported(spec.incarnation(), segment.baseOffset()))) {
            return;
        }
        String detail = "A later reading found the segment at offset " + segment.baseOffset() + " damaged. " + what;
        LOG.error("partition {}: {}", spec.ref(), detail);
        observer.scrubDamage();
        log.noteDamage(from, Math.max(from + 1, to), "the scrub found it damaged");
        reports.add(new RecoveryReport(
                clock.instant(),
                spec.ref(),
                spec.incarnation(),
                Found.INTERIOR_DAMAGE,
                Action.REPORTED,
                from,
                to,
                position,
                -1,
                true,
                null,
                detail));
    }

    /** What it reads now is left half-way. */
    @Override
    public void close() {
        pace.close();
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (thread.isAlive() && System.nanoTime() < deadline) {
            try {
                thread.join(TimeUnit.NANOSECONDS.toMillis(Math.max(1_000_000, deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
