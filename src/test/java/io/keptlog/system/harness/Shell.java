// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end, with a deadline. */
public final class Shell {
    private static final long DEADLINE_SECONDS = 120;

    private Shell() {}

    /** Standard output and error of a program that must succeed. */
    public static String run(String... command) {
        Outcome outcome = tryRun(command);
        if (outcome.exitCode() != 0) {
            throw new AssertionError(
                    String.join(" ", command) + " ended with " + outcome.exitCode() + ": " + outcome.output());
        }
        return outcome.output();
    }

    public static Outcome tryRun(String... command) {
        try {
            Path output = Files.createTempFile("keptlog-shell", ".out");
            try {
                Process process = new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(String.join(" ", command) + " did not end");
                }
                return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Whether a program is on the path. */
    public static boolean has(String program) {
        return tryRun("sh", "-c", "command -v " + program).exitCode() == 0;
    }

    public static boolean isRoot() {
        return run("id", "-u").strip().equals("0");
    }

    /** How a program ended and what it wrote. */
    public record Outcome(int exitCode, String output) {}
}
