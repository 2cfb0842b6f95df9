// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of one partition on the disk of a stopped server, for damaging them. Knows of the format only where frames lie: from 4096
 * on, each with its length as u32 little-endian at its byte 8; a zero length ends them.
 */
public final class PartitionFiles {
    public static final int FIRST_FRAME = 4096;
    private static final int FRAME_LENGTH_AT = 8;

    private final Path directory;

    /** Where a frame lies in its file. */
    public record Frame(long position, int lengthBytes) {
        public long end() {
            return position + lengthBytes;
        }
    }

    /** A change of an open file. */
    @FunctionalInterface
    public interface Damage {
        void to(RandomAccessFile file) throws IOException;
    }

    public PartitionFiles(Path dataDir, long stream, long topic, int partition) {
        this.directory = dataDir.resolve("streams/" + stream + "/topics/" + topic + "/partitions/" + partition);
    }

    public Path directory() {
        return directory;
    }

    public Path checkpoint() {
        return directory.resolve("checkpoint");
    }

    /** Waits for a checkpoint that covers what was synced: it is written once more after a second of idleness. */
    public void awaitCheckpoint() {
        Path newest = newestSegment();
        Await.until("a checkpoint younger than " + newest, Duration.ofSeconds(20), () -> {
            return Files.getLastModifiedTime(checkpoint()).compareTo(Files.getLastModifiedTime(newest)) >= 0;
        });
    }

    /** Segment files, oldest first. */
    public List<Path> segments() {
        return named(".log");
    }

    public List<Path> indexes() {
        return named(".index");
    }

    private List<Path> named(String suffix) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().matches("\\d{20}" + suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path newestSegment() {
        return segments().getLast();
    }

    public static List<Frame> frames(Path segment) {
        List<Frame> frames = new ArrayList<>();
        damage(segment, file -> {
            ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            long position = FIRST_FRAME;
            while (position + FRAME_LENGTH_AT + Integer.BYTES <= file.length()) {
                file.seek(position + FRAME_LENGTH_AT);
                file.readFully(number.array());
                int length = number.getInt(0);
                if (length <= 0) {
                    break;
                }
                frames.add(new Frame(position, length));
                position += length;
            }
        });
        return frames;
    }

    public static void damage(Path path, Damage damage) {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            damage.to(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void write(Path path, long position, byte[] bytes) {
        damage(path, file -> {
            file.seek(position);
            file.write(bytes);
        });
    }

    /** Flips one bit of the byte at the position. */
    public static void flipBit(Path path, long position) {
        damage(path, file -> {
            file.seek(position);
            int old = file.read();
            file.seek(position);
            file.write(old ^ 0x10);
        });
    }

    /** Zeros from the position to the end of the file. */
    public static void zeroFrom(Path path, long position) {
        damage(path, file -> {
            long end = file.length();
            file.setLength(position);
            file.setLength(end);
        });
    }
}
