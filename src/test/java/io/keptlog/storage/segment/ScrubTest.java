// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.DamagedLog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.StoreNode;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrubTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final long FAST = 1L << 40;

    @TempDir
    Path directory;

    /** Counts what the scrub tells; a pass over all segments is waited for by their number. */
    private static final class Told implements StoreObserver {
        final AtomicLong bytes = new AtomicLong();
        final AtomicInteger damages = new AtomicInteger();
        final CountDownLatch segments;

        Told(int segments) {
            this.segments = new CountDownLatch(segments);
        }

        @Override
        public void scrubbed(long read) {
            bytes.addAndGet(read);
            segments.countDown();
        }

        @Override
        public void scrubDamage() {
            damages.incrementAndGet();
        }
    }

    private static Scrub scrub(StoreNode node, SimulatedFiles machine, Told told) {
        return new Scrub(
                node.store,
                machine,
                node.reports,
                told,
                InstantSource.system(),
                Thread.ofPlatform().daemon().factory(),
                FAST,
                1);
    }

    private static List<RecoveryReport> found(StoreNode node) {
        return node.reports.list().stream()
                .filter(report -> report.action() == Action.REPORTED)
                .toList();
    }

    @Test
    void damageOfASealedSegmentIsReportedOnceAndTheLogGoesOn() throws Exception {
        Random random = new Random(3);
        SimulatedFiles machine = new SimulatedFiles(3);
        try (StoreNode node = new StoreNode(machine, DATA)) {
            PartitionLog log = node.create(Durability.PERSISTED, random);
            StoreNode.append(log, 60, random);
            StoreNode.persist(log);
            int sealed = log.sealedSegments().size();
            Told sound = new Told(2 * sealed);
            try (Scrub scrub = scrub(node, machine, sound)) {
                scrub.start();
                assertThat(sound.segments.await(60, TimeUnit.SECONDS))
                        .as("two passes")
                        .isTrue();
            }
            assertThat(sound.damages).hasValue(0);
            assertThat(sound.bytes.get()).isGreaterThan(sealed * 4096L);
            assertThat(found(node)).isEmpty();

            DamagedLog files = new DamagedLog(machine, DATA, log.spec());
            Path segment = files.segments().get(1);
            files.flip(segment, random);
            long base = Long.parseLong(segment.getFileName().toString().substring(0, 20));
            Told told = new Told(3 * sealed);
            try (Scrub scrub = scrub(node, machine, told)) {
                scrub.start();
                assertThat(told.segments.await(60, TimeUnit.SECONDS))
                        .as("three passes")
                        .isTrue();
            }
            assertThat(told.damages).hasValue(1);
            assertThat(found(node)).singleElement().satisfies(report -> {
                assertThat(report.partition()).isEqualTo(log.spec().ref());
                assertThat(report.fromOffset()).isGreaterThanOrEqualTo(base);
                assertThat(report.toOffset()).isGreaterThan(report.fromOffset());
                assertThat(report.needsAttention()).isTrue();
            });
            assertThat(node.store.faults()).singleElement().satisfies(fault -> assertThat(fault.component())
                    .contains(log.spec().ref().toString()));
            assertThat(log.status().state()).isEqualTo(LogStatus.State.OPEN);
            log.append(TestBatches.batch(1, 10), Deadline.inMillis(10_000));
        }
    }

    @Test
    void itReadsNoFasterThanItsRateAndStopsAtOnce() throws IOException {
        Path file = directory.resolve("f");
        Files.write(file, new byte[3 << 20]);
        ScrubPace pace = new ScrubPace(10 << 20);
        long began = System.nanoTime();
        try (FileFrameBytes bytes = FileFrameBytes.open(FileLayers.system(), file)) {
            FrameBytes paced = pace.paced(bytes, 2 << 20);
            assertThat(paced.sizeBytes()).isEqualTo(2 << 20);
            for (long at = 0; at < paced.sizeBytes(); at += 64 << 10) {
                assertThat(paced.view(at, 64 << 10).byteSize()).isEqualTo(64 << 10);
            }
        }
        assertThat(System.nanoTime() - began).as("2 MiB at 10 MiB a second").isGreaterThan(150_000_000L);
        pace.close();
        long closing = System.nanoTime();
        pace.rest(TimeUnit.MINUTES.toNanos(5));
        assertThat(System.nanoTime() - closing).isLessThan(TimeUnit.MINUTES.toNanos(1));
        assertThat(pace.isClosed()).isTrue();
    }

    @Test
    void aScrubThatIsClosedLeavesItsSegment() {
        SimulatedFiles machine = new SimulatedFiles(4);
        Random random = new Random(4);
        try (StoreNode node = new StoreNode(machine, DATA)) {
            PartitionLog log = node.create(Durability.REPLICATED, random);
            StoreNode.append(log, 60, random);
            StoreNode.persist(log);
            Scrub scrub = new Scrub(
                    node.store,
                    machine,
                    node.reports,
                    new Told(0),
                    InstantSource.system(),
                    Thread.ofPlatform().daemon().factory(),
                    1,
                    1);
            scrub.start();
            long closing = System.nanoTime();
            scrub.close();
            assertThat(System.nanoTime() - closing).isLessThan(TimeUnit.SECONDS.toNanos(30));
            assertThat(found(node)).as("a segment that was left half-way").isEmpty();
        }
    }
}
