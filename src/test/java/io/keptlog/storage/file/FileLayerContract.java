// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.storage.file.FileLayer.Mode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every file layer does, whatever is below it. */
abstract class FileLayerContract {
    abstract FileLayer layer();

    /** An existing, empty directory. */
    abstract Path directory();

    static MemorySegment heap(String text) {
        return MemorySegment.ofArray(text.getBytes(UTF_8));
    }

    static String text(StoreFile file, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        int got = file.read(MemorySegment.ofArray(bytes), position);
        return new String(bytes, 0, got, UTF_8);
    }

    @Test
    void whatIsWrittenIsReadAndMapped() throws IOException {
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW);
                Arena arena = Arena.ofConfined()) {
            file.write(heap("hello world"), 0);
            assertThat(text(file, 0, 100)).isEqualTo("hello world");
            assertThat(text(file, 6, 5)).isEqualTo("world");
            assertThat(text(file, 50, 5)).isEmpty();
            assertThat(file.size()).isEqualTo(11);
            MemorySegment mapped = file.map(6, 5, arena);
            assertThat(mapped.byteSize()).isEqualTo(5);
            assertThat(mapped.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'w');
            file.write(heap("W"), 6);
            assertThat(mapped.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'W');
            assertThat(mapped.isReadOnly()).isTrue();
        }
    }

    @Test
    void heapAndNativeBytesOfAnySizeArriveWhole() throws IOException {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW);
                Arena arena = Arena.ofConfined()) {
            for (int size : new int[] {1, 4095, 4096, 131_071, 131_072, 131_073, 700_001}) {
                byte[] bytes = new byte[size];
                random.nextBytes(bytes);
                int position = random.nextInt(100_000);
                file.write(MemorySegment.ofArray(bytes), position);
                MemorySegment offHeap = arena.allocate(size);
                assertThat(file.read(offHeap, position)).as("seed " + seed).isEqualTo(size);
                assertThat(offHeap.mismatch(MemorySegment.ofArray(bytes))).isEqualTo(-1);
                file.write(offHeap, position + 1);
                byte[] back = new byte[size];
                assertThat(file.read(MemorySegment.ofArray(back), position + 1)).isEqualTo(size);
                assertThat(back).isEqualTo(bytes);
                MemorySegment mapped = file.map(position + 1, size, arena);
                assertThat(mapped.mismatch(MemorySegment.ofArray(bytes))).isEqualTo(-1);
            }
        }
    }

    @Test
    void allocatedSpaceReadsAsZerosAndKeepsWhatWasThere() throws IOException {
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW)) {
            file.write(heap("kept"), 0);
            file.allocate(0, 300_000);
            assertThat(file.size()).isEqualTo(300_000);
            assertThat(text(file, 0, 6)).isEqualTo("kept\0\0");
            file.allocate(100, 10);
            assertThat(file.size()).isEqualTo(300_000);
            byte[] rest = new byte[300_000 - 4];
            assertThat(file.read(MemorySegment.ofArray(rest), 4)).isEqualTo(rest.length);
            assertThat(rest).containsOnly(0);
        }
    }

    /** Written bytes are found at once, synced or not: whoever passes over the rest misses nothing. */
    @Test
    void whatIsPassedOverInTheSearchForDataReadsAsZeros() throws IOException {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        int size = 3 << 20;
        byte[] expected = new byte[size];
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW)) {
            file.allocate(0, size);
            for (int write = 0; write < 12; write++) {
                int at = random.nextInt(size - 20_000);
                byte[] bytes = new byte[1 + random.nextInt(20_000)];
                random.nextBytes(bytes);
                file.write(MemorySegment.ofArray(bytes), at);
                System.arraycopy(bytes, 0, expected, at, bytes.length);
                if (random.nextInt(3) == 0) {
                    file.syncData();
                }
                for (int probe = 0; probe < 20; probe++) {
                    int from = random.nextInt(size);
                    int data = Math.toIntExact(file.dataFrom(from));
                    assertThat(data).as("seed %d from %d", seed, from).isBetween(from, size);
                    assertThat(java.util.Arrays.mismatch(
                                    java.util.Arrays.copyOfRange(expected, from, data), new byte[data - from]))
                            .as("seed %d: bytes %d to %d", seed, from, data)
                            .isEqualTo(-1);
                }
            }
            assertThat(file.dataFrom(size)).isEqualTo(size);
            assertThat(file.dataFrom(size + 5)).isEqualTo(size + 5);
        }
    }

    @Test
    void truncateCutsAndGrowsWithZeros() throws IOException {
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW)) {
            file.write(heap("0123456789"), 0);
            file.truncate(4);
            file.truncate(6);
            assertThat(text(file, 0, 10)).isEqualTo("0123\0\0");
        }
    }

    @Test
    void aWriteBeyondTheEndLeavesZeros() throws IOException {
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW)) {
            file.write(heap("x"), 3);
            assertThat(text(file, 0, 10)).isEqualTo("\0\0\0x");
        }
    }

    @Test
    void aMappingBeyondTheEndIsRefused() throws IOException {
        try (StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW);
                Arena arena = Arena.ofShared()) {
            file.write(heap("x"), 0);
            assertThatThrownBy(() -> file.map(0, 2, arena)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> file.map(5000, 1, arena)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aMappingOutlivesItsFile() throws IOException {
        Path path = directory().resolve("f");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment mapped;
            try (StoreFile file = layer().open(path, Mode.CREATE_NEW)) {
                file.write(heap("abc"), 0);
                mapped = file.map(0, 3, arena);
            }
            layer().delete(path);
            assertThat(mapped.get(ValueLayout.JAVA_BYTE, 2)).isEqualTo((byte) 'c');
        }
    }

    @Test
    void openModes() throws IOException {
        Path path = directory().resolve("f");
        assertThatThrownBy(() -> layer().open(path, Mode.READ)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> layer().open(path, Mode.READ_WRITE)).isInstanceOf(IOException.class);
        assertThat(layer().exists(path)).isFalse();
        layer().open(path, Mode.CREATE_NEW).close();
        assertThat(layer().exists(path)).isTrue();
        assertThatThrownBy(() -> layer().open(path, Mode.CREATE_NEW)).isInstanceOf(IOException.class);
        try (StoreFile file = layer().open(path, Mode.READ_WRITE)) {
            file.write(heap("abc"), 0);
        }
        try (StoreFile file = layer().open(path, Mode.READ)) {
            assertThat(text(file, 0, 3)).isEqualTo("abc");
            assertThatThrownBy(() -> file.write(heap("x"), 0)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aClosedFileRefusesEveryCall() throws IOException {
        StoreFile file = layer().open(directory().resolve("f"), Mode.CREATE_NEW);
        file.close();
        file.close();
        assertThatThrownBy(() -> file.write(heap("x"), 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> text(file, 0, 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(file::size).isInstanceOf(IOException.class);
        assertThatThrownBy(file::syncData).isInstanceOf(IOException.class);
    }

    @Test
    void namesAreMadeListedRenamedAndDeleted() throws IOException {
        Path deep = directory().resolve("a/b/c");
        layer().createDirectories(deep);
        layer().createDirectories(deep);
        assertThat(layer().isDirectory(deep)).isTrue();
        layer().open(deep.resolve("2"), Mode.CREATE_NEW).close();
        try (StoreFile one = layer().open(deep.resolve("1"), Mode.CREATE_NEW)) {
            one.write(heap("one"), 0);
        }
        assertThat(layer().list(deep)).containsExactly(deep.resolve("1"), deep.resolve("2"));
        layer().rename(deep.resolve("1"), deep.resolve("2"));
        assertThat(layer().list(deep)).containsExactly(deep.resolve("2"));
        try (StoreFile two = layer().open(deep.resolve("2"), Mode.READ)) {
            assertThat(text(two, 0, 9)).isEqualTo("one");
        }
        layer().rename(deep, directory().resolve("moved"));
        assertThat(layer().exists(deep)).isFalse();
        assertThat(layer().exists(directory().resolve("moved/2"))).isTrue();
        assertThat(layer().isDirectory(directory().resolve("moved/2"))).isFalse();
        assertThatThrownBy(() -> layer().delete(directory().resolve("moved"))).isInstanceOf(IOException.class);
        layer().delete(directory().resolve("moved/2"));
        layer().delete(directory().resolve("moved"));
        assertThat(layer().exists(directory().resolve("moved"))).isFalse();
        assertThatThrownBy(() -> layer().delete(directory().resolve("moved"))).isInstanceOf(IOException.class);
    }

    @Test
    void aRenameNeverReplacesADirectory() throws IOException {
        layer().createDirectories(directory().resolve("from"));
        layer().createDirectories(directory().resolve("to"));
        assertThatThrownBy(() ->
                        layer().rename(directory().resolve("from"), directory().resolve("to")))
                .isInstanceOf(IOException.class);
        assertThat(layer().isDirectory(directory().resolve("from"))).isTrue();
    }

    @Test
    void anOpenFileFollowsItsRename() throws IOException {
        Path from = directory().resolve("next.tmp");
        Path to = directory().resolve("0.log");
        try (StoreFile file = layer().open(from, Mode.CREATE_NEW);
                Arena arena = Arena.ofConfined()) {
            file.write(heap("before"), 0);
            layer().rename(from, to);
            file.write(heap("AFTER!"), 0);
            assertThat(file.map(0, 6, arena).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'A');
            file.syncData();
        }
        layer().syncDirectory(directory());
        try (StoreFile file = layer().open(to, Mode.READ)) {
            assertThat(text(file, 0, 6)).isEqualTo("AFTER!");
        }
    }

    @Test
    void thereIsSomeSpace() throws IOException {
        assertThat(layer().usableBytes(directory())).isPositive();
    }

    @Test
    void aLockIsHeldOnce() throws IOException {
        Path file = directory().resolve("lock");
        try (var held = layer().lock(file)) {
            assertThat(held).isNotNull();
            assertThat(layer().lock(file)).isNull();
        }
        try (var again = layer().lock(file)) {
            assertThat(again).isNotNull();
        }
    }

    @Test
    void messagesNameTheFileButNotItsDirectory() {
        assertThatThrownBy(() -> layer().open(directory().resolve("absent.log"), Mode.READ))
                .hasMessageContaining("absent.log")
                .message()
                .doesNotContain(directory().toString());
    }
}
