// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
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
 * The jar (system property {@code keptlog.jar}) as a child JVM on a port of the system's choice, with its own data directory. Owns the
 * process: {@link #close} kills it. One thread. Its log is a file below the jar's directory, one per start.
 */
public final class ServerProcess implements AutoCloseable {
    public static final String USERNAME = "root";
    public static final String PASSWORD = "system-test-1";

    public static final String SHOW_PORT = "--logging.level.org.springframework.boot.tomcat.TomcatWebServer=info";

    private static final Map<String, String> ROOT =
            Map.of("KEPTLOG_ROOT_USERNAME", USERNAME, "KEPTLOG_ROOT_PASSWORD", PASSWORD);
    private static final Duration START_DEADLINE = Duration.ofSeconds(240);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    /** For a quick start. */
    private static final List<String> QUICK = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

    private final Process process;
    private final Path log;
    private int port;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts on the data directory and waits until it is ready. */
    public static ServerProcess start(Path dataDir, String... arguments) {
        ServerProcess server = launch(dataDir, arguments);
        try {
            server.awaitReady();
            return server;
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    /** Starts the process and does not wait. */
    public static ServerProcess launch(Path dataDir, String... arguments) {
        return launch(dataDir, ROOT, arguments);
    }

    /**
     * @param environment the only KEPTLOG_ and IGGY_ variables that the server sees
     * @param arguments those that begin with -X or -D go to the JVM, the others to the server
     */
    public static ServerProcess launch(Path dataDir, Map<String, String> environment, String... arguments) {
        return launch(dataDir, QUICK, UnpackedJar.of(jar(), QUICK).command(), environment, arguments);
    }

    /** A server for measurements: the JVM's own settings, nothing that shortens the start. */
    public static ServerProcess startForMeasuring(Path dataDir, String... arguments) {
        ServerProcess server = launch(dataDir, List.of(), List.of("-jar", jar().toString()), ROOT, arguments);
        server.awaitReady();
        return server;
    }

    private static ServerProcess launch(
            Path dataDir,
            List<String> jvm,
            List<String> program,
            Map<String, String> environment,
            String... arguments) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(jvm);
        List<String> own = new ArrayList<>(List.of("--server.port=0", SHOW_PORT, "--keptlog.data-dir=" + dataDir));
        for (String argument : arguments) {
            (argument.startsWith("-X") || argument.startsWith("-D") ? command : own).add(argument);
        }
        command.addAll(program);
        command.addAll(own);
        return spawn(command, environment, newLog(dataDir));
    }

    /** Any other JVM that prints Tomcat's port line, for example one that serves no-op end points. */
    public static ServerProcess spawn(List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("KEPTLOG_") || name.startsWith("IGGY_"));
        builder.environment().putAll(environment);
        try {
            return new ServerProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    public static Path jar() {
        return Path.of(System.getProperty("keptlog.jar", "target/keptlog.jar")).toAbsolutePath();
    }

    private static Path newLog(Path dataDir) {
        try {
            Path logs =
                    Files.createDirectories(jar().resolveSibling("system-tests").resolve("logs"));
            return Files.createTempFile(logs, dataDir.getFileName() + "-", ".log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void awaitReady() {
        awaitUp("readiness");
    }

    /** Waits until it serves, whether or not it can write (a full disk). */
    public void awaitAlive() {
        awaitUp("liveness");
    }

    private void awaitUp(String group) {
        Client client = awaitPort().client();
        Await.until(group + "\n" + tail(), START_DEADLINE, () -> {
            requireAlive();
            return client.get("/actuator/health/" + group).status() == 200;
        });
    }

    /** Waits for the port alone, whatever readiness says. */
    public ServerProcess awaitPort() {
        Await.until("a port in the log " + log, START_DEADLINE, () -> {
            Matcher line = PORT.matcher(log());
            if (line.find()) {
                port = Integer.parseInt(line.group(1));
                return true;
            }
            requireAlive();
            return false;
        });
        return this;
    }

    private void requireAlive() {
        if (!process.isAlive()) {
            throw new AssertionError("the server ended with " + process.exitValue() + "\n" + tail());
        }
    }

    public Client client() {
        return new Client(URI.create("http://127.0.0.1:" + port), USERNAME, PASSWORD);
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL, and waits until the process is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(30));
    }

    /** SIGTERM, and waits for the exit code. */
    public int terminate(Duration atMost) {
        process.destroy();
        return awaitExit(atMost);
    }

    /** Any signal by name, for example STOP or CONT. */
    public void signal(String name) {
        Shell.run("kill", "-" + name, Long.toString(pid()));
    }

    public int awaitExit(Duration atMost) {
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the server still runs after " + atMost + "\n" + tail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String tail() {
        String text = log();
        return text.substring(Math.max(0, text.length() - 4000));
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
