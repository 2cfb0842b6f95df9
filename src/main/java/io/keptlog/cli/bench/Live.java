// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One line on standard error, written anew each second, while a person looks at a terminal; nothing anywhere else. */
final class Live implements AutoCloseable {
    private final String label;
    private final Tally tally;
    private final CountDownLatch ended = new CountDownLatch(1);

    Live(String label, Tally tally) {
        this.label = label;
        this.tally = tally;
        if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()) {
            Thread.ofVirtual().start(this::show);
        }
    }

    private void show() {
        long before = 0;
        try {
            while (!ended.await(1, TimeUnit.SECONDS)) {
                long now = tally.successes();
                System.err.printf(
                        Locale.ROOT,
                        "\r%s: %,d/s, p99 %,d µs, %,d failed   ",
                        label,
                        now - before,
                        tally.micros(99),
                        tally.failures());
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.err.print("\r" + " ".repeat(100) + "\r");
    }

    @Override
    public void close() {
        ended.countDown();
    }
}
