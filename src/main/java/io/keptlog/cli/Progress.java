// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.storage.check.CheckProgress;
import java.io.Console;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on standard error while a person looks at a terminal; nothing anywhere else. Used by one thread. */
final class Progress implements CheckProgress, AutoCloseable {
    private static final long MIB = 1 << 20;

    private final String task;
    private final boolean wanted;
    private @Nullable ProgressBar bar;

    Progress(String task) {
        this.task = task;
        this.wanted = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
    }

    @Override
    public void begins(long totalBytes) {
        if (wanted) {
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(totalBytes)
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
