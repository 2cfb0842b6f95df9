// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.file.PortableFiles;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.scan.ScanEnd.Stop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scan of a real file and of a mapping: the same frames, and every one of them. */
class FrameScannerTest {
    private static final long INCARNATION = 99;

    @TempDir
    Path directory;

    private final FileLayer files = new PortableFiles();
    private final List<Long> positions = new ArrayList<>();
    private FrameChain end = FrameChain.beginning(INCARNATION);

    private byte[] segment(long seed, int frames, int largestBody, int tailZeros) {
        var random = new Random(seed);
        var bytes = new java.io.ByteArrayOutputStream();
        bytes.writeBytes(new byte[4096]);
        for (int i = 0; i < frames; i++) {
            var frame = new byte[FrameLayout.frameLength(44 + random.nextInt(largestBody))];
            random.nextBytes(frame);
            int body = frame.length - 96 - random.nextInt(8);
            body = Math.max(body, frame.length - 96 - 7);
            java.util.Arrays.fill(frame, 96 + body, frame.length, (byte) 0);
            MemorySegment memory = MemorySegment.ofArray(frame);
            var header = new FrameHeader(
                    body,
                    Checksums.crc(memory, 96, body),
                    end.endOffset(),
                    i,
                    1,
                    INCARNATION,
                    1,
                    end.lastHeaderCrc(),
                    0,
                    null);
            positions.add((long) bytes.size());
            end = end.after(header, header.write(memory, 0, bytes.size()));
            bytes.writeBytes(frame);
        }
        bytes.writeBytes(new byte[tailZeros]);
        return bytes.toByteArray();
    }

    private List<Long> scanned(FrameBytes bytes, Stop expected) {
        var found = new ArrayList<Long>();
        ScanEnd scanEnd = new FrameScanner(bytes, INCARNATION)
                .scan(4096, FrameChain.beginning(INCARNATION), (header, crc, position, frame) -> {
                    assertThat(frame.byteSize()).isEqualTo(header.frameLength());
                    found.add(position);
                });
        assertThat(scanEnd.stop()).isEqualTo(expected);
        return found;
    }

    @Test
    void framesOfAllSizesAcrossChunks() throws IOException {
        for (long seed = 0; seed < 5; seed++) {
            positions.clear();
            end = FrameChain.beginning(INCARNATION);
            byte[] content = segment(seed, 60, seed == 4 ? 3_000_000 : 100_000, 500_000);
            Path file = directory.resolve("s" + seed);
            Files.write(file, content);
            try (FileFrameBytes bytes = FileFrameBytes.open(files, file)) {
                assertThat(scanned(bytes, Stop.ZEROS)).as("seed %d", seed).isEqualTo(positions);
                assertThat(searched(bytes, 0)).isEqualTo(positions);
                assertThat(walked(bytes)).isEqualTo(positions);
                assertThat(new FrameScanner(bytes, INCARNATION).contentEnd(0))
                        .isBetween(content.length - 500_000L - 8, content.length - 500_000L);
                assertThat(new FrameScanner(bytes, INCARNATION + 1).headerAt(4096))
                        .isNull();
            }
            assertThat(scanned(FrameBytes.mapped(MemorySegment.ofArray(content)), Stop.ZEROS))
                    .isEqualTo(positions);
        }
    }

    /** The space ahead of a log is mostly never written: a start that read it would wait for it. */
    @Test
    void aFrameFarBehindAHoleIsFoundWithoutReadingTheHole() throws IOException {
        var machine = new SimulatedFiles(1, SimulatedFiles.Options.HARSH);
        Path file = Path.of("/sparse");
        byte[] content = segment(3, 300, 60_000, 0);
        int last = Math.toIntExact(positions.getLast());
        long far = 200L << 20;
        try (StoreFile out = machine.open(file, FileLayer.Mode.CREATE_NEW)) {
            out.allocate(0, far + (64 << 20));
            out.write(MemorySegment.ofArray(content).asSlice(last), last);
            out.write(MemorySegment.ofArray(new byte[] {1}), far);
        }
        try (FileFrameBytes bytes = FileFrameBytes.open(machine, file)) {
            var scanner = new FrameScanner(bytes, INCARNATION);
            assertThat(last).isGreaterThan(4 << 20);
            assertThat(searched(bytes, 0)).containsExactly((long) last);
            assertThat(scanner.contentEnd(4096)).isEqualTo(far + 1);
            assertThat(bytes.bytesRead()).isLessThan(16 << 20);
        }
    }

    /** On the disk that is under the test: what was read through once is in memory, and the system takes it for data then. */
    @Test
    void spaceThatWasNeverWrittenIsNotReadAlthoughTheSystemCallsWhatIsInMemoryData() throws IOException {
        FileLayer system = FileLayers.system();
        Path file = directory.resolve("ahead");
        byte[] content = segment(4, 30, 60_000, 0);
        long size = content.length + (64L << 20);
        try (StoreFile out = system.open(file, FileLayer.Mode.CREATE_NEW)) {
            out.allocate(0, size);
            assumeTrue(out.dataFrom(0) == size, "the file system tells what was never written");
            out.write(MemorySegment.ofArray(content), 0);
            out.syncData();
        }
        for (int round = 0; round < 2; round++) {
            try (FileFrameBytes bytes = FileFrameBytes.openSparse(system, file)) {
                var scanner = new FrameScanner(bytes, INCARNATION);
                assertThat(searched(bytes, 0)).isEqualTo(positions);
                assertThat(scanner.contentEnd(positions.getLast())).isLessThanOrEqualTo(content.length);
                assertThat(bytes.bytesRead()).as("round %d", round).isLessThan(content.length + (8L << 20));
            }
        }
    }

    private static List<Long> searched(FrameBytes bytes, long from) throws IOException {
        var found = new ArrayList<Long>();
        var scanner = new FrameScanner(bytes, INCARNATION);
        scanner.search(from, (header, crc, position, head) -> {
            found.add(position);
            try {
                assertThat(scanner.bodyAt(position, header)).isTrue();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        return found;
    }

    private List<Long> walked(FrameBytes bytes) {
        var found = new ArrayList<Long>();
        var unused = new FrameScanner(bytes, INCARNATION)
                .walk(4096, bytes.sizeBytes(), FrameChain.beginning(INCARNATION), (h, crc, p, head) -> found.add(p));
        return found;
    }

    @Test
    void everyIntactFrameBehindDamageIsFound() throws IOException {
        byte[] content = segment(7, 100, 3000, 5000);
        var random = new Random(7);
        for (int i = 0; i < 100; i++) {
            byte[] damaged = content.clone();
            int broken = random.nextInt(positions.size());
            damaged[Math.toIntExact(positions.get(broken)) + random.nextInt(96)] ^= 4;
            var intact = new ArrayList<>(positions);
            intact.remove(broken);
            var bytes = FrameBytes.mapped(MemorySegment.ofArray(damaged));
            assertThat(searched(bytes, 4096)).isEqualTo(intact);
            assertThat(scanned(bytes, Stop.NO_HEADER)).isEqualTo(positions.subList(0, broken));
        }
    }

    @Test
    void saysWhyItStops() {
        byte[] content = segment(8, 10, 500, 0);
        assertThat(scanned(FrameBytes.mapped(MemorySegment.ofArray(content)), Stop.END_OF_FILE))
                .hasSize(10);
        byte[] shorter = java.util.Arrays.copyOf(content, content.length - 1);
        assertThat(scanned(FrameBytes.mapped(MemorySegment.ofArray(shorter)), Stop.TRUNCATED))
                .hasSize(9);
        byte[] body = content.clone();
        body[Math.toIntExact(positions.get(5)) + 100] ^= 1;
        assertThat(scanned(FrameBytes.mapped(MemorySegment.ofArray(body)), Stop.BAD_BODY))
                .hasSize(5);
    }
}
