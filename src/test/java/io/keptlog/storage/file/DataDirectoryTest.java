// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.storage.file.FileLayer.Mode;
import io.keptlog.storage.file.SimulatedFiles.Options;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    private static final Path ROOT = SimulatedFiles.ROOT.resolve("some/data");
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-30T00:00:00Z"));

    private final long seed = new Random().nextLong();
    private SimulatedFiles files = new SimulatedFiles(seed);

    private DataDirectory open() {
        return DataDirectory.open(files, ROOT, CLOCK);
    }

    private void put(String name, String content) throws IOException {
        DurableFiles.replace(files, ROOT.resolve(name), content.getBytes(UTF_8));
    }

    private String content(String name) throws IOException {
        return new String(DurableFiles.read(files, ROOT.resolve(name), 1000), UTF_8);
    }

    private void refusedWith(String... parts) {
        assertThatThrownBy(this::open)
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContainingAll(parts)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aFirstStartMakesEverythingDurable() throws IOException {
        try (DataDirectory data = open()) {
            assertThat(data.epoch()).isEqualTo(1);
            assertThat(data.damage()).isEmpty();
            assertThat(data.made("catalog")).isFalse();
        }
        assertThat(content("format")).isEqualTo("1\n");
        files = files.powerCut(new Random(seed));
        try (DataDirectory data = open()) {
            assertThat(data.epoch()).isEqualTo(2);
        }
    }

    @Test
    void theEpochGrowsWithEveryStartWhateverAPowerCutKeeps() throws IOException {
        var random = new Random(seed);
        long last = 0;
        for (int round = 0; round < 100; round++) {
            if (round % 3 == 0) {
                files.stopAfter(random.nextInt(20));
            }
            try {
                DataDirectory data = open();
                assertThat(data.epoch()).as("seed " + seed).isGreaterThan(last);
                assertThat(data.damage()).isEmpty();
                last = data.epoch();
            } catch (DataDirectoryException stopped) {
                assertThat(files.stopped()).as("seed " + seed).isTrue();
            }
            files = random.nextBoolean() ? files.powerCut(random) : files.processKill();
        }
        assertThat(last).isPositive();
    }

    @Test
    void anEpochThatRecoverySawIsPassedDurably() throws IOException {
        try (DataDirectory data = open()) {
            assertThat(data.raiseEpochAbove(0)).isEqualTo(1);
            assertThat(data.raiseEpochAbove(41)).isEqualTo(42);
            assertThat(data.epoch()).isEqualTo(42);
        }
        files = files.powerCut(new Random(seed));
        try (DataDirectory data = open()) {
            assertThat(data.epoch()).isEqualTo(43);
        }
    }

    @Test
    void oneDamagedEpochSlotCostsNothing() throws IOException {
        open().close();
        open().close();
        try (StoreFile file = files.open(ROOT.resolve("epoch"), Mode.READ_WRITE)) {
            file.write(MemorySegment.ofArray(new byte[512]), 0);
        }
        try (DataDirectory data = open()) {
            assertThat(data.epoch()).isEqualTo(3);
            assertThat(data.damage()).isEmpty();
        }
    }

    @Test
    void aLostEpochFileIsReportedAndTheNextEpochIsAboveAllBefore() throws IOException {
        open().close();
        files.delete(ROOT.resolve("epoch"));
        try (DataDirectory data = open()) {
            assertThat(data.epoch()).isEqualTo(CLOCK.instant().getEpochSecond());
            assertThat(data.damage()).hasSize(1);
        }
        try (DataDirectory data = open()) {
            assertThat(data.epoch()).isEqualTo(CLOCK.instant().getEpochSecond() + 1);
            assertThat(data.damage()).isEmpty();
        }
    }

    @Test
    void formatsThatAreNotThisProgramsAreRefused() throws IOException {
        open().close();
        put("format", "2\n");
        refusedWith("format 2", "newer");
        put("format", "0\n");
        refusedWith("older format 0", "convert");
        for (String garbage : new String[] {"", "1", "x\n", "1\n\u0000\n", "\0\0\0\0", "99999999999999\n", "1\r\n"}) {
            put("format", garbage);
            refusedWith("format file is damaged");
        }
    }

    @Test
    void aDirectoryWithOtherThingsIsRefusedAndLeftAlone() throws IOException {
        files.createDirectories(ROOT.resolve("streams"));
        refusedWith("no format file", "streams");
        assertThat(files.exists(ROOT.resolve("epoch"))).isFalse();
        assertThat(files.exists(ROOT.resolve("format"))).isFalse();
    }

    @Test
    void oneProcessAtATime() {
        try (DataDirectory data = open()) {
            refusedWith("in use by another process", data.root().toString());
        }
        open().close();
    }

    @Test
    void madePartsAreRememberedThroughAPowerCut() throws IOException {
        try (DataDirectory data = open()) {
            data.markMade("offsets");
            data.markMade("catalog");
            data.markMade("catalog");
        }
        files = files.powerCut(new Random(seed));
        assertThat(content("format")).isEqualTo("1\ncatalog\noffsets\n");
        try (DataDirectory data = open()) {
            assertThat(data.made("catalog")).isTrue();
            assertThat(data.made("reports")).isFalse();
        }
    }

    @Test
    void theReserveIsReleasedOnceAndRestoredWhenSpaceIsBack() throws IOException {
        files = new SimulatedFiles(seed, Options.HARSH.withSpace(10 << 20));
        try (DataDirectory data = open()) {
            long free = files.usableBytes(ROOT);
            assertThat(free).isBetween((98L << 20) / 10, (99L << 20) / 10);
            StoreFile hog = files.open(ROOT.resolve("hog"), Mode.CREATE_NEW);
            hog.allocate(0, free);
            assertThat(files.usableBytes(ROOT)).isZero();
            assertThat(data.reserve().release()).isTrue();
            assertThat(files.usableBytes(ROOT)).isPositive();
            assertThat(data.reserve().release()).isFalse();
            assertThat(data.reserve().restore()).isFalse();
            hog.truncate(0);
            assertThat(data.reserve().restore()).isTrue();
            assertThat(data.reserve().restore()).isTrue();
            assertThat(files.usableBytes(ROOT)).isLessThan(99L << 20);
        }
    }

    @Test
    void aRealDirectoryThatIsNotWritableGivesOneLine(@TempDir Path temporary) throws IOException {
        // A file where the directory should be: refused for root as well as for everybody else.
        Path file = Files.writeString(temporary.resolve("data"), "x");
        assertThatThrownBy(() -> DataDirectory.open(FileLayers.system(), file, CLOCK))
                .isInstanceOf(DataDirectoryException.class)
                .message()
                .contains(file.toString())
                .doesNotContain("\n");
    }

    @Test
    void aRealDirectoryIsMadeLockedAndOpenedAgain(@TempDir Path temporary) {
        Path root = temporary.resolve("deep/data");
        Consumer<Long> opensWith = epoch -> {
            try (DataDirectory data = DataDirectory.open(FileLayers.system(), root, CLOCK)) {
                assertThat(data.epoch()).isEqualTo(epoch);
                assertThatThrownBy(() -> DataDirectory.open(FileLayers.system(), root, CLOCK))
                        .hasMessageContaining("in use");
            }
        };
        opensWith.accept(1L);
        opensWith.accept(2L);
    }
}
