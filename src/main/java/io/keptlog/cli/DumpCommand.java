// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.storage.dump.DumpRange;
import io.keptlog.storage.dump.FileDump;
import io.keptlog.storage.file.FileLayers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what is in files of a data directory, a line each. Writes nothing; a server may be running on it. */
@Command(
        name = "dump",
        description = "Shows what is in segments, indexes, checkpoints and journals, a line for each thing."
                + " Changes nothing; the server may run. Hashes of passwords and tokens are left out.",
        footer = "Exit code: 0 shown, 2 a file cannot be read or is none of a data directory.",
        mixinStandardHelpOptions = true)
public final class DumpCommand implements Callable<Integer> {
    static final int SHOWN = 0;
    static final int UNREADABLE = 2;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Files below a data directory: *.log, *.index, *.journal, *.previous, checkpoint, epochs,"
                    + " producers, clean.")
    private List<Path> paths = List.of();

    @Option(
            names = "--from",
            defaultValue = "0",
            description = "First message offset of a segment, first entry of an index, first frame of a journal.")
    private long from;

    @Option(
            names = "--count",
            defaultValue = "100",
            description = "Frames or entries at most; default ${DEFAULT-VALUE}.")
    private long count;

    @Option(names = "--messages", description = "A line for each message of the frames, too.")
    private boolean messages;

    @Option(
            names = "--payload-bytes",
            defaultValue = "64",
            description = "Bytes of each payload that are shown, in base64; default ${DEFAULT-VALUE}.")
    private int payloadBytes;

    @Option(names = "--json", description = "Print each line as a JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if (from < 0 || count < 0 || payloadBytes < 0) {
            return Output.refuse("Nothing shown", "--from, --count and --payload-bytes are not negative", UNREADABLE);
        }
        var range = new DumpRange(from, count, messages, payloadBytes);
        for (Path path : paths) {
            if (!Files.isRegularFile(path)) {
                return Output.refuse("Not shown", path + " is no file", UNREADABLE);
            }
            try {
                FileDump.dump(FileLayers.system(), path, range, values -> System.out.println(line(values)));
            } catch (IOException | IllegalArgumentException e) {
                return Output.refuse("Not shown", String.valueOf(e.getMessage()), UNREADABLE);
            }
        }
        return SHOWN;
    }

    private String line(Map<String, Object> values) {
        if (json) {
            return Output.json(values);
        }
        return values.entrySet().stream()
                .map(one -> one.getKey().equals("what")
                        ? String.valueOf(one.getValue())
                        : one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining("  "));
    }
}
