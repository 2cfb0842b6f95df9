// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** strace attached to a running server: what it calls, in order, or calls that fail. {@link #close} detaches it. */
public final class Strace implements AutoCloseable {
    private final Process process;
    private final Path trace;

    private Strace(Process process, Path trace) {
        this.process = process;
        this.trace = trace;
    }

    /** Skips the test with a reason where strace cannot be attached. */
    public static void assume() {
        assumeTrue(Shell.has("strace"), "needs strace (package strace)");
        assumeTrue(Shell.isRoot(), "needs root to attach strace (kernel.yama.ptrace_scope)");
    }

    /**
     * @param options for example {@code -e trace=fdatasync}
     */
    public static Strace attach(ServerProcess server, Path directory, String... options) {
        assume();
        try {
            Path trace = Files.createTempFile(directory, "strace", ".txt");
            Path messages = Files.createTempFile(directory, "strace", ".err");
            List<String> command = new ArrayList<>(List.of("strace", "-f", "-o", trace.toString()));
            command.addAll(List.of(options));
            command.addAll(List.of("-p", Long.toString(server.pid())));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(messages.toFile())
                    .start();
            Strace strace = new Strace(process, trace);
            Await.until("strace is attached: " + Files.readString(messages), Duration.ofSeconds(20), () -> {
                if (!process.isAlive()) {
                    throw new AssertionError("strace ended: " + Files.readString(messages));
                }
                return Files.readString(messages).contains("attached");
            });
            return strace;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was traced so far, one call a line. */
    public List<String> lines() {
        try {
            return List.of(Files.readString(trace, StandardCharsets.ISO_8859_1).split("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new AssertionError("strace does not detach");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
