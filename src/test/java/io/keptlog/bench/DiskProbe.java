// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;

/** What the disk alone can do: 4 KiB written over blocks that were written before, and fdatasync, one after the other. */
record DiskProbe(double p50Micros, double p99Micros, double perSecond) {
    private static final int BLOCK_BYTES = 4096;
    private static final int BLOCKS = 2000;

    static DiskProbe measure(Path directory) throws IOException {
        Path file = directory.resolve("probe");
        long[] nanos = new long[BLOCKS];
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BLOCK_BYTES * BLOCKS), 0);
            channel.force(true);
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
            for (int i = 0; i < BLOCKS; i++) {
                long begin = System.nanoTime();
                channel.write(block.clear(), (long) i * BLOCK_BYTES);
                channel.force(false);
                nanos[i] = System.nanoTime() - begin;
            }
        }
        Files.delete(file);
        Arrays.sort(nanos);
        return new DiskProbe(
                nanos[BLOCKS / 2] / 1000.0,
                nanos[BLOCKS * 99 / 100] / 1000.0,
                BLOCKS * 1e9 / Arrays.stream(nanos).sum());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "raw write and fdatasync of 4 KiB: p50 %.0f µs, p99 %.0f µs, %.0f/s",
                p50Micros,
                p99Micros,
                perSecond);
    }
}
