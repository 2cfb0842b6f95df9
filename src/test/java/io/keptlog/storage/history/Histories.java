// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.slf4j.LoggerFactory;

/**
 * Runs histories. {@code Histories FIRST COUNT}: from the seed FIRST on, COUNT of them; prints each that fails, and at the end
 * {@code DONE next failed}. {@code Histories sum DIRECTORY SECONDS}: blocks of seeds that nobody has taken yet, until the time is over
 * ({@link HistorySum}). Exit code 1 when one failed.
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

    public static void main(String[] args) throws IOException {
        ((Logger) LoggerFactory.getLogger("io.keptlog")).setLevel(Level.OFF);
        long failed = args[0].equals("sum")
                ? new HistorySum(Path.of(args[1]), runner()).run(Long.parseLong(args[2]))
                : run(Long.parseLong(args[0]), Long.parseLong(args[1]));
        System.exit(failed > 0 ? 1 : 0);
    }

    private static long run(long first, long count) {
        LongFunction<String> runner = runner();
        boolean stopsAtFirst = Boolean.getBoolean("keptlog.first");
        long failed = 0;
        long seed = first;
        for (; seed < first + count && (failed == 0 || !stopsAtFirst); seed++) {
            String outcome = runner.apply(seed);
            if (!outcome.startsWith(HistoryRunner.KEPT)) {
                failed++;
                System.out.println("FAILED " + outcome);
            } else if (count == 1) {
                System.out.println(outcome);
            }
        }
        System.out.println("DONE " + seed + " " + failed);
        return failed;
    }
}
