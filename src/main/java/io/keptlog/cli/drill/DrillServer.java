// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of this very program as a child process, on a port of the system's choice. Owns the process; one thread. Throws an IOException
 * with the end of its log when it does not start.
 */
final class DrillServer implements AutoCloseable {
    static final String USERNAME = "drill";

    private static final Duration START_MAX = Duration.ofMinutes(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final int LOG_SHOWN_CHARS = 2_000;
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final Process process;
    private final Path log;

    private DrillServer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param password of the first user, for a new data directory */
    static DrillServer start(Path dataDir, Path log, String password) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(program(System.getProperty("java.class.path", "")));
        command.addAll(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--logging.level.org.springframework.boot.tomcat.TomcatWebServer=info",
                "--keptlog.data-dir=" + dataDir));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment
                .keySet()
                .removeIf(
                        name -> name.startsWith("KEPTLOG_") || name.startsWith("IGGY_") || name.startsWith("SERVER_"));
        environment.put("KEPTLOG_ROOT_USERNAME", USERNAME);
        environment.put("KEPTLOG_ROOT_PASSWORD", password);
        Process process = builder.start();
        // Whoever ends the drill by hand leaves no server behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new DrillServer(process, log);
    }

    private static List<String> program(String classPath) {
        boolean oneJar = classPath.endsWith(".jar") && !classPath.contains(java.io.File.pathSeparator);
        return oneJar ? List.of("-jar", classPath) : List.of("-cp", classPath, "io.keptlog.Keptlog");
    }

    /** Waits until the server says its port and can be written. */
    DrillClient awaitReady(String password) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (System.nanoTime() < deadline) {
            if (!process.isAlive()) {
                throw new IOException("the server ended with " + process.exitValue() + ":\n" + logEnd());
            }
            Matcher line = PORT.matcher(Files.readString(log));
            if (line.find()) {
                var client = new DrillClient(Integer.parseInt(line.group(1)), USERNAME, password);
                if (client.isReady()) {
                    return client;
                }
            }
            boolean unused = process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
        throw new IOException("the server was not ready after " + START_MAX.toSeconds() + " s:\n" + logEnd());
    }

    private String logEnd() throws IOException {
        String text = Files.readString(log);
        return text.substring(Math.max(0, text.length() - LOG_SHOWN_CHARS));
    }

    /** SIGKILL. */
    void kill() throws IOException, InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("the killed server still runs");
        }
    }

    /** SIGTERM; false when the stop was not clean. */
    boolean stop() throws InterruptedException {
        process.destroy();
        boolean ended = process.waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        int terminated = 143;
        return ended && (process.exitValue() == 0 || process.exitValue() == terminated);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
