// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child JVM of the same jar: its output goes to {@code log} in its directory, its pipe keeps it alive. */
final class DevProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    private DevProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * @param jvm options of the JVM
     * @param arguments of the jar
     */
    static DevProcess start(
            String name, Path directory, List<String> jvm, List<String> arguments, Map<String, String> environment)
            throws IOException {
        Files.createDirectories(directory);
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvm);
        String classPath = System.getProperty("java.class.path");
        if (classPath.endsWith(".jar") && !classPath.contains(java.io.File.pathSeparator)) {
            command.addAll(List.of("-jar", classPath));
        } else {
            command.addAll(List.of("-cp", classPath, "io.keptlog.Keptlog"));
        }
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var started = new DevProcess(name, builder.start());
        Thread.ofPlatform().daemon().name(name + "-log").start(() -> started.copy(directory.resolve("log")));
        return started;
    }

    private void copy(Path log) {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                Writer out = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.write(line);
                out.write('\n');
                out.flush();
                if (line.startsWith("ready ")) {
                    ready.complete(line.substring("ready ".length()));
                }
            }
        } catch (IOException e) {
            System.err.println(name + ": its log cannot be written: " + e);
        } finally {
            ready.completeExceptionally(new IOException(name + " has ended; see " + log));
        }
    }

    /** What it said after "ready". */
    String awaitReady(int seconds) throws Exception {
        return ready.get(seconds, TimeUnit.SECONDS);
    }

    boolean alive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    String name() {
        return name;
    }

    /** SIGTERM, then after ten seconds SIGKILL. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
