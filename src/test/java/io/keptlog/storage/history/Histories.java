// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.function.LongFunction;
import org.slf4j.LoggerFactory;

/**
 * Runs histories: {@code Histories FIRST COUNT [SECONDS]} from the seed FIRST on, at most COUNT, at most SECONDS long. Prints each seed that
 * fails, and at the end {@code DONE next failed}. Exit code 1 when one failed.
 */
public final class Histories {
    private Histories() {}

    static LongFunction<String> runner() {
        try {
            @SuppressWarnings("unchecked")
            LongFunction<String> runner = (LongFunction<String>) new TimeRewriter()
                    .loadClass("io.keptlog.storage.history.HistoryRunner")
                    .getConstructor()
                    .newInstance();
            return runner;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        long count = Long.parseLong(args[1]);
        long end = System.nanoTime() + (args.length > 2 ? Long.parseLong(args[2]) : 1L << 31) * 1_000_000_000L;
        ((Logger) LoggerFactory.getLogger("io.keptlog")).setLevel(Level.OFF);
        LongFunction<String> runner = runner();
        boolean stopsAtFirst = Boolean.getBoolean("keptlog.first");
        long failed = 0;
        long seed = first;
        for (; seed < first + count && System.nanoTime() < end && (failed == 0 || !stopsAtFirst); seed++) {
            String outcome = runner.apply(seed);
            if (!outcome.startsWith(HistoryRunner.KEPT)) {
                failed++;
                System.out.println("FAILED " + outcome);
            } else if (count == 1) {
                System.out.println(outcome);
            }
        }
        System.out.println("DONE " + seed + " " + failed);
        System.exit(failed > 0 ? 1 : 0);
    }
}
