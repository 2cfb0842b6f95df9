// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.LongFunction;

/**
 * What the outside calls: a seed, and what came of it: {@code "kept "} and the simulated time that it took, or what went wrong. Loaded by
 * {@link TimeRewriter}.
 */
public final class HistoryRunner implements LongFunction<String> {
    static final String KEPT = "kept ";

    @Override
    public String apply(long seed) {
        try {
            return KEPT + new History(seed).run();
        } catch (Throwable e) {
            var text = new StringWriter();
            e.printStackTrace(new PrintWriter(text));
            return "seed " + seed + ": " + text;
        }
    }
}
