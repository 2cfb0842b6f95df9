// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.storage.file.FileLayer.Mode;
import io.keptlog.storage.file.SimulatedFiles.Call;
import io.keptlog.storage.file.SimulatedFiles.Options;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The test double must lose what a disk may lose, and nothing else. */
class SimulatedFilesTest extends FileLayerContract {
    private static final Path FILE = SimulatedFiles.ROOT.resolve("f");

    private final long seed = new Random().nextLong();
    private SimulatedFiles files = new SimulatedFiles(seed);

    @Override
    FileLayer layer() {
        return files;
    }

    @Override
    Path directory() {
        return SimulatedFiles.ROOT;
    }

    private static byte[] pages(int count, int value) {
        byte[] bytes = new byte[count * SimulatedContent.PAGE];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] content(FileLayer layer, Path path) throws IOException {
        try (StoreFile file = layer.open(path, Mode.READ)) {
            byte[] bytes = new byte[(int) file.size()];
            file.read(MemorySegment.ofArray(bytes), 0);
            return bytes;
        }
    }

    private StoreFile durableFile(byte[] bytes) throws IOException {
        StoreFile file = files.open(FILE, Mode.CREATE_NEW);
        file.write(MemorySegment.ofArray(bytes), 0);
        file.syncData();
        files.syncDirectory(SimulatedFiles.ROOT);
        return file;
    }

    @Test
    void whatIsSyncedSurvivesEveryPowerCut() throws IOException {
        for (int round = 0; round < 200; round++) {
            files = new SimulatedFiles(seed + round);
            byte[] bytes = pages(5, 7);
            durableFile(bytes);
            assertThat(content(files.powerCut(new Random(seed + round)), FILE))
                    .as("seed " + seed)
                    .isEqualTo(bytes);
        }
    }

    @Test
    void unsyncedPagesAreKeptLostOrTornAtSectors() throws IOException {
        Set<Integer> oldSectorsSeen = new HashSet<>();
        boolean tornInside = false;
        for (int round = 0; round < 200; round++) {
            files = new SimulatedFiles(seed + round);
            StoreFile file = durableFile(pages(2, 1));
            file.write(MemorySegment.ofArray(pages(2, 2)), 0);
            byte[] after = content(files.powerCut(new Random(seed + round)), FILE);
            assertThat(after).hasSize(2 * SimulatedContent.PAGE);
            int old = 0;
            for (int sector = 0; sector < after.length; sector += 512) {
                byte first = after[sector];
                assertThat(first).isIn((byte) 1, (byte) 2);
                for (int i = sector; i < sector + 512; i++) {
                    assertThat(after[i]).isEqualTo(first);
                }
                old += first == 1 ? 1 : 0;
            }
            oldSectorsSeen.add(old);
            tornInside |= old % 8 != 0;
        }
        assertThat(oldSectorsSeen).as("seed " + seed).contains(0, 16);
        assertThat(tornInside).isTrue();
    }

    @Test
    void aNameIsDurableOnlyAfterTheDirectorySync() throws IOException {
        Set<Boolean> outcomes = new HashSet<>();
        for (int round = 0; round < 100; round++) {
            files = new SimulatedFiles(seed + round);
            try (StoreFile file = files.open(FILE, Mode.CREATE_NEW)) {
                file.write(heap("x"), 0);
                file.syncData();
            }
            outcomes.add(files.powerCut(new Random(round)).exists(FILE));
        }
        assertThat(outcomes).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void ext4CommitsTheNameWithTheFile() throws IOException {
        for (int round = 0; round < 50; round++) {
            files = new SimulatedFiles(seed + round, Options.EXT4_LIKE);
            try (StoreFile file = files.open(FILE, Mode.CREATE_NEW)) {
                file.syncData();
            }
            assertThat(files.powerCut(new Random(round)).exists(FILE)).isTrue();
        }
    }

    @Test
    void aRenameIsAllOrNothing() throws IOException {
        Path other = SimulatedFiles.ROOT.resolve("g");
        for (int round = 0; round < 100; round++) {
            files = new SimulatedFiles(seed + round);
            durableFile(pages(1, 3));
            files.rename(FILE, other);
            SimulatedFiles after = files.powerCut(new Random(round));
            assertThat(after.exists(FILE)).isNotEqualTo(after.exists(other));
        }
    }

    @Test
    void aRemovedNameMayComeBackUntilItsDirectoryIsSynced() throws IOException {
        Set<Boolean> outcomes = new HashSet<>();
        for (int round = 0; round < 100; round++) {
            files = new SimulatedFiles(seed + round);
            durableFile(pages(1, 3));
            files.delete(FILE);
            outcomes.add(files.powerCut(new Random(round)).exists(FILE));
        }
        assertThat(outcomes).containsExactlyInAnyOrder(true, false);
        files = new SimulatedFiles(seed);
        durableFile(pages(1, 3));
        files.delete(FILE);
        files.syncDirectory(SimulatedFiles.ROOT);
        assertThat(files.powerCut(new Random(seed)).exists(FILE)).isFalse();
    }

    @Test
    void aProcessKillKeepsEverythingTheKernelHad() throws IOException {
        try (StoreFile file = files.open(FILE, Mode.CREATE_NEW)) {
            file.write(heap("unsynced"), 0);
        }
        SimulatedFiles after = files.processKill();
        assertThat(new String(content(after, FILE), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("unsynced");
        assertThatThrownBy(() -> files.open(FILE, Mode.READ)).hasMessageContaining("off");
        after.syncDirectory(SimulatedFiles.ROOT);
        try (StoreFile file = after.open(FILE, Mode.READ_WRITE)) {
            file.syncData();
        }
        assertThat(content(after.powerCut(new Random(seed)), FILE)).hasSize(8);
    }

    @Test
    void afterAFailedSyncTheNextOneSaysFineAndTheBytesAreNotThere() throws IOException {
        boolean lost = false;
        for (int round = 0; round < 50; round++) {
            files = new SimulatedFiles(seed + round, new Options(false, false, 1L << 40, false));
            StoreFile file = durableFile(pages(4, 1));
            file.write(MemorySegment.ofArray(pages(4, 2)), 0);
            files.failNth(Call.SYNC, 1);
            assertThatThrownBy(file::syncData).isInstanceOf(IOException.class);
            file.syncData();
            assertThat(content(files, FILE)).isEqualTo(pages(4, 2));
            lost |= !Arrays.equals(content(files.powerCut(new Random(round)), FILE), pages(4, 2));
        }
        assertThat(lost).as("seed " + seed).isTrue();
    }

    @Test
    void rewritingTheSameBytesAfterAFailedSyncPutsThemOnDisk() throws IOException {
        StoreFile file = durableFile(pages(4, 1));
        file.write(MemorySegment.ofArray(pages(4, 2)), 0);
        files.failNth(Call.SYNC, 1);
        assertThatThrownBy(file::syncData).isInstanceOf(IOException.class);
        file.write(MemorySegment.ofArray(pages(4, 2)), 0);
        file.syncData();
        assertThat(content(files.powerCut(new Random(seed)), FILE)).isEqualTo(pages(4, 2));
    }

    @Test
    void aLyingSyncLosesData() throws IOException {
        boolean lost = false;
        for (int round = 0; round < 50; round++) {
            files = new SimulatedFiles(seed + round, new Options(false, false, 1L << 40, false));
            StoreFile file = durableFile(pages(1, 1));
            files.lie(true);
            file.write(MemorySegment.ofArray(pages(1, 2)), 0);
            file.syncData();
            lost |= !Arrays.equals(content(files.powerCut(new Random(round)), FILE), pages(1, 2));
        }
        assertThat(lost).as("seed " + seed).isTrue();
    }

    @Test
    void aFullDiskRefusesNewBlocksAndTakesOldOnes() throws IOException {
        files = new SimulatedFiles(seed, Options.HARSH.withSpace(4 * SimulatedContent.PAGE));
        StoreFile file = durableFile(pages(2, 1));
        assertThatThrownBy(() -> file.allocate(0, 5 * SimulatedContent.PAGE)).isInstanceOf(NoSpaceException.class);
        file.allocate(0, 4 * SimulatedContent.PAGE);
        assertThat(files.usableBytes(FILE)).isZero();
        file.write(MemorySegment.ofArray(pages(4, 2)), 0);
        assertThatThrownBy(() -> file.write(heap("x"), 4 * SimulatedContent.PAGE))
                .isInstanceOf(NoSpaceException.class);
        files.setSpace(8 * SimulatedContent.PAGE);
        file.write(heap("x"), 4 * SimulatedContent.PAGE);
    }

    @Test
    void theMachineStopsAtTheGivenCall() throws IOException {
        StoreFile file = durableFile(pages(1, 1));
        files.stopAfter(1);
        file.write(heap("done"), 0);
        assertThatThrownBy(() -> file.write(heap("never"), 100)).isInstanceOf(IOException.class);
        assertThatThrownBy(file::size).isInstanceOf(IOException.class);
        assertThat(files.stopped()).isTrue();
        assertThat(content(files.processKill(), FILE)).startsWith((byte) 'd');
    }
}
