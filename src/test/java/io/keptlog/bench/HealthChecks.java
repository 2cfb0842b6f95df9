// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ImageCommands;
import io.keptlog.system.harness.MemoryGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs the image's health check beside the server, in the same group, more often than a container engine would. */
final class HealthChecks implements AutoCloseable {
    private static final long EVERY_SECONDS = 5;
    /** How long a container engine waits for one, as Dockerfile has it. */
    private static final long DEADLINE_SECONDS = 5;

    private final ProcessBuilder check;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<Integer> exitCodes = new ArrayList<>();
    private long slowestNanos;
    private int givenUp;

    HealthChecks(MemoryGroup group, ImageCommands image, int port) {
        check = new ProcessBuilder(group.inside(image.health()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        check.environment().put("SERVER_PORT", Integer.toString(port));
        timer.scheduleWithFixedDelay(this::ask, 0, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private void ask() {
        try {
            long begin = System.nanoTime();
            Process process = check.start();
            boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (ended) {
                told(process.exitValue(), System.nanoTime() - begin);
            } else {
                process.destroyForcibly().waitFor();
                gaveUp();
            }
        } catch (IOException e) {
            told(-1, 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void told(int exitCode, long nanos) {
        exitCodes.add(exitCode);
        slowestNanos = Math.max(slowestNanos, nanos);
    }

    /** The machine is too busy to start a JVM in that time: told, but no fault of the server. */
    private synchronized void gaveUp() {
        givenUp++;
    }

    synchronized int givenUp() {
        return givenUp;
    }

    synchronized int answered() {
        return exitCodes.size();
    }

    synchronized long slowestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(slowestNanos);
    }

    /** Whatever came to its end has said that the server lives. */
    synchronized void requireAllGood() {
        assertThat(exitCodes).isNotEmpty().containsOnly(0);
    }

    @Override
    public void close() {
        timer.shutdown();
        try {
            assertThat(timer.awaitTermination(2 * DEADLINE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
