// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

/** How the stop went: a final sync that failed is told by the exit code. Safe for any number of threads. */
public final class StopOutcome {
    private static final int EXIT_CODE_FAILED = 1;
    private volatile boolean failed;

    void failed() {
        failed = true;
    }

    public boolean isFailed() {
        return failed;
    }

    /** The last step of a stop: ends the process with its own exit code when something was not kept. */
    public void exitIfFailed() {
        if (failed) {
            Runtime.getRuntime().halt(EXIT_CODE_FAILED);
        }
    }
}
