// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongFunction;

/**
 * What was done in all runs, in one directory that any number of processes share: {@code next.txt} has the first seed that nobody has
 * taken, {@code sum.txt} a line for each finished block (histories, failed, seconds, first seed), {@code failures.txt} what failed. A
 * process that is killed leaves its block out of the sum.
 */
final class HistorySum {
    private static final int BLOCK = 1_000;

    private final Path directory;
    private final LongFunction<String> runner;

    HistorySum(Path directory, LongFunction<String> runner) {
        this.directory = directory;
        this.runner = runner;
    }

    /** @return how many failed */
    long run(long seconds) throws IOException {
        long begun = System.nanoTime();
        long failed = 0;
        while (System.nanoTime() - begun < seconds * 1_000_000_000L) {
            failed += block(take());
        }
        return failed;
    }

    private long take() throws IOException {
        Path next = directory.resolve("next.txt");
        try (FileChannel channel = FileChannel.open(directory.resolve("lock"), CREATE, WRITE);
                FileLock lock = channel.lock()) {
            String text = Files.exists(next) ? Files.readString(next).strip() : "";
            long first = text.isEmpty() ? 1 : Long.parseLong(text);
            Files.writeString(next, first + BLOCK + "\n");
            return first;
        }
    }

    private long block(long first) throws IOException {
        long begun = System.nanoTime();
        int failed = 0;
        for (long seed = first; seed < first + BLOCK; seed++) {
            String outcome = runner.apply(seed);
            if (!outcome.startsWith(HistoryRunner.KEPT)) {
                failed++;
                append("failures.txt", "FAILED " + outcome + "\n");
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        append("sum.txt", "%d %d %.1f %d%n".formatted(BLOCK, failed, seconds, first));
        return failed;
    }

    /** One short write, so that lines of several processes do not mix. */
    private void append(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text, CREATE, APPEND);
    }
}
