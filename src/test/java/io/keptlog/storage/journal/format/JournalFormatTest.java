// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.storage.file.FileLayer.Mode;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.journal.format.LoadedJournal.Condition;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes: what is written is read, and nothing else ever is. */
class JournalFormatTest {
    private static final Path DIRECTORY = SimulatedFiles.ROOT;
    private static final Path FILE = DIRECTORY.resolve(JournalLayout.fileName(7));

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final SimulatedFiles files = new SimulatedFiles(seed);
    private final List<byte[]> written = new ArrayList<>();
    private long end;

    /** A generation with some records; whether they are marked as stable is up to the caller. */
    private byte[] write(int records, boolean stable) throws IOException {
        if (files.exists(FILE)) {
            files.delete(FILE);
        }
        written.clear();
        try (Generation generation = Generation.create(files, List.of(DIRECTORY), 7, random.nextLong())) {
            generation.append(Frame.Kind.SNAPSHOT_END, List.of(new byte[0]));
            for (int i = 0; i < records; i++) {
                byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(2000) : random.nextInt(60)];
                random.nextBytes(payload);
                written.add(payload);
                generation.append(Frame.Kind.RECORD, List.of(payload));
                if (stable) {
                    generation.markStable(generation.written());
                }
            }
            if (stable) {
                generation.writeCheckpoint();
            }
            end = generation.written().position();
            generation.publish();
        }
        try (StoreFile file = files.open(FILE, Mode.READ)) {
            byte[] bytes = new byte[(int) file.size()];
            file.read(MemorySegment.ofArray(bytes), 0);
            return bytes;
        }
    }

    private LoadedJournal load(byte[] bytes) throws IOException {
        try (StoreFile file = files.open(FILE, Mode.READ_WRITE)) {
            file.truncate(0);
            file.write(MemorySegment.ofArray(bytes), 0);
        }
        return JournalLoader.load(files, List.of(DIRECTORY));
    }

    private void isPrefix(LoadedJournal loaded, String as) {
        List<Frame> records = loaded.frames().stream()
                .filter(f -> f.kind() == Frame.Kind.RECORD)
                .toList();
        assertThat(records.size()).as(as).isLessThanOrEqualTo(written.size());
        for (int i = 0; i < records.size(); i++) {
            assertThat(records.get(i).payload()).as(as).isEqualTo(written.get(i));
        }
        for (Frame frame : loaded.beyond()) {
            assertThat(frame.payload()).as(as).isEqualTo(written.get((int) frame.index() - 1));
        }
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (int round = 0; round < 50; round++) {
            LoadedJournal loaded = load(write(random.nextInt(30), random.nextBoolean()));
            assertThat(loaded.condition()).as("seed " + seed).isEqualTo(Condition.CLEAN);
            assertThat(loaded.frames()).hasSize(written.size() + 1);
            isPrefix(loaded, "seed " + seed);
        }
    }

    @Test
    void oneFlippedBitNeverChangesWhatIsReadAndIsNoticedWhenItWasStable() throws IOException {
        for (int round = 0; round < 300; round++) {
            byte[] bytes = write(1 + random.nextInt(10), true);
            int at = JournalLayout.FRAMES_AT + random.nextInt((int) end - JournalLayout.FRAMES_AT);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            String as = "seed " + seed + " round " + round + " byte " + at;
            LoadedJournal loaded = load(bytes);
            isPrefix(loaded, as);
            // A bit of the padding after a payload belongs to nothing.
            boolean padding = loaded.frames().size() == written.size() + 1;
            assertThat(loaded.condition()).as(as).isEqualTo(padding ? Condition.CLEAN : Condition.DAMAGED);
            assertThat(loaded.frames().size() + loaded.beyond().size()).as(as).isGreaterThanOrEqualTo(written.size());
        }
    }

    @Test
    void aFileCutAtAnyByteGivesAPrefixAndIsDamageWhenItWasStable() throws IOException {
        for (boolean stable : new boolean[] {false, true}) {
            byte[] bytes = write(6, stable);
            int length = (int) end;
            while (bytes[length - 1] == 0) {
                length--; // A missing zero reads as a zero.
            }
            for (int cut = 0; cut < length; cut += 1 + random.nextInt(40)) {
                LoadedJournal loaded = load(Arrays.copyOf(bytes, cut));
                isPrefix(loaded, "seed " + seed + " cut " + cut);
                // A cut in the padding after the last payload takes nothing away.
                boolean whole = loaded.frames().size() == written.size() + 1;
                if (!whole && (stable || cut <= JournalLayout.FRAMES_AT)) {
                    assertThat(loaded.condition())
                            .as("seed " + seed + " cut " + cut)
                            .isEqualTo(Condition.DAMAGED);
                }
            }
        }
    }

    @Test
    void zerosOverTheTailOfUnsyncedRecordsAreATornTailAtMost() throws IOException {
        for (int round = 0; round < 100; round++) {
            byte[] bytes = write(6, false);
            int snapshotEnd = JournalLayout.FRAMES_AT + JournalLayout.FRAME_HEADER_BYTES;
            int from = snapshotEnd + random.nextInt((int) end - snapshotEnd);
            Arrays.fill(bytes, from / 512 * 512 < snapshotEnd ? snapshotEnd : from / 512 * 512, bytes.length, (byte) 0);
            LoadedJournal loaded = load(bytes);
            isPrefix(loaded, "seed " + seed);
            assertThat(loaded.condition()).as("seed " + seed).isIn(Condition.CLEAN, Condition.TORN);
        }
    }

    @Test
    void anyOldSectorAmongUnsyncedOnesIsTornAndNeverDamage() throws IOException {
        for (int round = 0; round < 200; round++) {
            byte[] bytes = write(8, false);
            int snapshotEnd = JournalLayout.FRAMES_AT + JournalLayout.FRAME_HEADER_BYTES;
            byte[] before = Arrays.copyOf(Arrays.copyOf(bytes, snapshotEnd), bytes.length);
            for (int sector = JournalLayout.FRAMES_AT; sector < end; sector += 512) {
                if (random.nextInt(3) == 0) {
                    System.arraycopy(before, sector, bytes, sector, 512);
                }
            }
            LoadedJournal loaded = load(bytes);
            isPrefix(loaded, "seed " + seed + " round " + round);
            assertThat(loaded.condition())
                    .as("seed " + seed + " round " + round)
                    .isIn(Condition.CLEAN, Condition.TORN);
        }
    }

    @Test
    void aFrameOfAnotherFileOrPlaceIsNeverTaken() throws IOException {
        byte[] other = write(5, false);
        byte[] bytes = write(0, false);
        int at = JournalLayout.FRAMES_AT + JournalLayout.FRAME_HEADER_BYTES;
        System.arraycopy(other, at, bytes, at, other.length - at);
        LoadedJournal loaded = load(bytes);
        assertThat(loaded.frames()).hasSize(1);
        assertThat(loaded.beyond()).isEmpty();

        byte[] moved = write(3, false);
        System.arraycopy(moved.clone(), at, moved, at + 8, moved.length - at - 8);
        loaded = load(moved);
        assertThat(loaded.frames()).as("seed " + seed).hasSize(1);
        assertThat(loaded.beyond()).isEmpty();
    }

    @Test
    void aHeaderOfAnotherVersionIsNotRead() throws IOException {
        byte[] bytes = write(2, false);
        bytes[8] = 2;
        LoadedJournal loaded = load(bytes);
        assertThat(loaded.condition()).isEqualTo(Condition.DAMAGED);
        assertThat(loaded.frames()).isEmpty();
    }
}
