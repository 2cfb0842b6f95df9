// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.drill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tries on the user's own disk what the server promises for a killed process. Works in a new directory and takes it away again. */
@Command(
        name = "drill",
        description =
                "Starts a server in a new directory on your disk, kills it while it takes messages, starts it again and"
                        + " looks for every message that was acknowledged. A kill is no power cut: what your disk does with its cache"
                        + " is not tried; GET /durability says what can be seen of that.",
        footer = "Exit code: 0 everything acknowledged was kept, 1 something was lost, 2 the drill could not be run.",
        mixinStandardHelpOptions = true)
public final class DrillCommand implements Callable<Integer> {
    public static final int KEPT = 0;
    public static final int LOST = 1;
    public static final int NOT_RUN = 2;

    private static final double MILLIS_PER_SECOND = 1000;

    @Option(
            names = "--directory",
            defaultValue = ".",
            description = "Where the drill makes its own directory: on the disk that is to be tried; default: here.")
    private Path parent = Path.of(".");

    @Option(
            names = "--kills",
            defaultValue = "3",
            description = "How often the server is killed; default ${DEFAULT-VALUE}.")
    private int kills;

    @Option(
            names = "--seconds",
            defaultValue = "2",
            description = "How long messages are written before each kill; default ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--keep", description = "Leave the directory and the server's logs behind.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (kills < 1 || !(seconds > 0)) {
            System.err.println("The drill was not run: --kills is at least 1, --seconds is above 0");
            return NOT_RUN;
        }
        Path directory;
        try {
            directory = Files.createTempDirectory(parent.toAbsolutePath().normalize(), "keptlog-drill-");
        } catch (IOException e) {
            System.err.println(
                    "The drill was not run: no directory can be made in " + parent + " (" + e.getMessage() + ")");
            return NOT_RUN;
        }
        boolean remove = !keep;
        try {
            Drill.Result result =
                    new Drill(directory, System.out::println).run(kills, (long) (seconds * MILLIS_PER_SECOND));
            remove &= result.kept();
            return verdict(result);
        } catch (IOException e) {
            remove = false;
            System.err.println("The drill could not be run: " + e.getMessage());
            return NOT_RUN;
        } finally {
            if (remove) {
                deleteTree(directory);
            } else {
                System.out.println("Files and logs are in " + directory);
            }
        }
    }

    private static int verdict(Drill.Result result) {
        result.lost().forEach(System.out::println);
        result.verified()
                .findings()
                .forEach(finding -> System.out.println(finding.severity() + " " + finding.detail()));
        if (!result.cleanStop()) {
            System.out.println("The graceful stop at the end was not clean.");
        }
        System.out.println(
                result.kept()
                        ? "KEPT: all " + result.acknowledged() + " acknowledged messages, through " + result.kills()
                                + " kills."
                        : "LOST: " + result.lostCount() + " of " + result.acknowledged()
                                + " acknowledged messages, or the files are not as they should be.");
        return result.kept() ? KEPT : LOST;
    }

    private static void deleteTree(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> walked = Files.walk(directory)) {
            paths = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
