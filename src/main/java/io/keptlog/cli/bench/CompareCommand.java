// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Two runs side by side. */
@Command(
        name = "compare",
        description = "Shows what the second file of results measured, against the same loads in the first.",
        mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
    @Parameters(index = "0", description = "A file that --json has written.")
    private Path before = Path.of("");

    @Parameters(index = "1", description = "Another one.")
    private Path after = Path.of("");

    @Override
    public Integer call() {
        try {
            List<String> lines = Report.compare(Report.read(before), Report.read(after));
            if (lines.isEmpty()) {
                System.err.println("The files have no load in common.");
                return BenchCommand.NOT_MEASURED;
            }
            System.out.println(Report.head());
            lines.forEach(System.out::println);
            return BenchCommand.MEASURED;
        } catch (IOException e) {
            System.err.println("Cannot compare: " + e.getMessage());
            return BenchCommand.NOT_MEASURED;
        }
    }
}
