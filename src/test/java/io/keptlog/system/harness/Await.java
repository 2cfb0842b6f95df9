// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * How system tests wait: Awaitility, asking often, in the test's own thread, and past failures of a server that is not there yet. An
 * AssertionError of the condition ends the wait at once.
 */
public final class Await {
    private static final Duration PAUSE = Duration.ofMillis(25);

    private Await() {}

    public static void until(String what, Duration atMost, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(PAUSE)
                .ignoreExceptionsInstanceOf(Exception.class)
                .atMost(atMost)
                .until(condition);
    }

    /** Lets a phase of load last; not for waiting until something has happened. */
    public static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
