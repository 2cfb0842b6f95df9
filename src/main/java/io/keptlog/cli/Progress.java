// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.storage.check.CheckProgress;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on standard error while a person looks at a terminal; nothing anywhere else. Used by one thread. */
public final class Progress implements CheckProgress, AutoCloseable {
    private static final long MIB = 1 << 20;
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private final String task;
    private @Nullable ProgressBar bar;

    public Progress(String task) {
        this.task = task;
    }

    /** Standard input or output may be a file while standard error is a terminal, which Java alone does not tell. */
    private static boolean isWatched() {
        try {
            if (Files.isSymbolicLink(STANDARD_ERROR)) {
                String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
            }
        } catch (IOException e) {
            // Then as on systems that have no such file.
            return false;
        }
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    /**
     * @param totalBytes negative = nobody knows
     */
    @Override
    public void begins(long totalBytes) {
        if (isWatched()) {
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(Math.max(-1, totalBytes))
                    .setUnit(" MiB", MIB)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                    .build();
        }
    }

    @Override
    public void advanced(long bytes) {
        ProgressBar shown = bar;
        if (shown != null) {
            shown.stepBy(bytes);
        }
    }

    @Override
    public void close() {
        ProgressBar shown = bar;
        if (shown != null) {
            shown.close();
        }
    }
}
