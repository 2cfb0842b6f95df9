// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import io.keptlog.system.harness.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A process of the cluster that can be ended and started again. One thread at a time. Its log is one file over all its lives. */
final class Part implements AutoCloseable {
    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private final String readyMark;
    private @Nullable Process process;
    private CompletableFuture<Boolean> ready = new CompletableFuture<>();

    /**
     * @param readyMark a line of its output that says that it serves
     */
    Part(String name, List<String> command, Map<String, String> environment, Path log, String readyMark) {
        this.name = name;
        this.command = command;
        this.environment = environment;
        this.log = log;
        this.readyMark = readyMark;
    }

    String name() {
        return name;
    }

    synchronized void start() {
        if (alive()) {
            return;
        }
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(k -> k.startsWith("KEPTLOG_") || k.startsWith("IGGY_"));
        builder.environment().putAll(environment);
        try {
            Process started = builder.start();
            var said = new CompletableFuture<Boolean>();
            process = started;
            ready = said;
            Thread.ofPlatform().daemon().name(name + "-log").start(() -> copy(started, said));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void copy(Process from, CompletableFuture<Boolean> said) {
        try (var lines = new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8));
                Writer out = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.write(line + "\n");
                out.flush();
                if (line.contains(readyMark)) {
                    said.complete(true);
                }
            }
        } catch (IOException e) {
            said.completeExceptionally(e);
        } finally {
            said.complete(false);
        }
    }

    /** @return whether it serves; false also when it ended instead */
    boolean awaitReady(int seconds) {
        try {
            return ready.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(name, e.getCause());
        }
    }

    boolean alive() {
        Process now = process;
        return now != null && now.isAlive();
    }

    long pid() {
        Process now = process;
        if (now == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return now.pid();
    }

    void freeze() {
        Shell.run("kill", "-STOP", Long.toString(pid()));
    }

    void thaw() {
        // One that has ended meanwhile needs no thaw.
        Shell.tryRun("kill", "-CONT", Long.toString(pid()));
    }

    /** SIGKILL. */
    void kill() {
        Process now = process;
        if (now != null) {
            now.destroyForcibly();
            await(now, 30);
        }
    }

    /** SIGTERM, and SIGKILL when that is not enough. @return whether SIGTERM was */
    boolean terminate(int seconds) {
        Process now = process;
        if (now == null) {
            return true;
        }
        now.destroy();
        if (await(now, seconds)) {
            return true;
        }
        kill();
        return false;
    }

    private static boolean await(Process process, int seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        kill();
    }
}
