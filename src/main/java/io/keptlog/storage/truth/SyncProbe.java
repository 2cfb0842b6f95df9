// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.truth;

import io.keptlog.domain.Limits;
import io.keptlog.domain.disk.SyncLatency;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes and syncs a small file for a bounded time, as an acknowledgement does: a page in a file whose space is there already. Leaves
 * nothing behind; a crash leaves {@code probe.tmp}, which the next one overwrites.
 */
final class SyncProbe {
    private static final String NAME = "probe.tmp";
    private static final int PAGE_BYTES = 4096;
    private static final int FILE_BYTES = 16 * PAGE_BYTES;
    private static final int SAMPLES_MAX = 256;
    private static final int SAMPLES_MIN = 3;
    private static final int SAMPLES_TO_WARM_UP = 16;

    private SyncProbe() {}

    static SyncLatency run(FileLayer files, Path directory) throws IOException {
        Path path = directory.resolve(NAME);
        if (files.exists(path)) {
            files.delete(path);
        }
        try {
            return measure(files, path);
        } finally {
            if (files.exists(path)) {
                files.delete(path);
            }
        }
    }

    private static SyncLatency measure(FileLayer files, Path path) throws IOException {
        long[] nanos = new long[SAMPLES_MAX];
        int samples = 0;
        try (StoreFile file = files.open(path, FileLayer.Mode.CREATE_NEW);
                Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(PAGE_BYTES);
            file.write(arena.allocate(FILE_BYTES), 0);
            file.syncData();
            long end = System.nanoTime() + Limits.TRUTH_TEST_MILLIS * 1_000_000L;
            while (samples < SAMPLES_MAX && (samples < SAMPLES_MIN || System.nanoTime() < end)) {
                page.set(ValueLayout.JAVA_INT, 0, samples + 1);
                long begin = System.nanoTime();
                file.write(page, (long) samples % (FILE_BYTES / PAGE_BYTES) * PAGE_BYTES);
                file.syncData();
                nanos[samples] = System.nanoTime() - begin;
                samples++;
            }
        }
        // The first ones are slow for reasons of this program: code that is not compiled yet, a cold file.
        int warm = samples >= SAMPLES_TO_WARM_UP ? samples / 4 : 0;
        return SyncLatency.of(Arrays.copyOfRange(nanos, warm, samples));
    }
}
