// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The bash blocks of a document, run as they are, top to bottom in one shell that ends at the first command that fails. Only the port is
 * another one.
 */
public final class PastedCommands {
    private static final Pattern BLOCK = Pattern.compile("```bash\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OPEN_BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    private static final String PORT = "127.0.0.1:3000";
    private static final long DEADLINE_MINUTES = 10;

    private PastedCommands() {}

    /** Of all blocks. */
    public static String of(Path document) throws IOException {
        return Files.readString(document)
                .transform(BLOCK::matcher)
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("\n"));
    }

    /** Lines of the sh blocks, each a command of its own: some of them go on until somebody ends them. */
    public static List<String> single(Path document) throws IOException {
        return Files.readString(document)
                .transform(OPEN_BLOCK::matcher)
                .results()
                .flatMap(block -> block.group(1).lines())
                .toList();
    }

    /**
     * Runs the document's commands against a server.
     *
     * @param where the directory they are run in: it has the files that a clone has
     */
    public static Shell.Outcome run(Path document, Path where, ServerProcess server) throws Exception {
        return run(document.toString(), of(document), where, server);
    }

    /** Runs commands, whatever document they are from. */
    public static Shell.Outcome run(String name, String commands, Path where, ServerProcess server) throws Exception {
        Path script = where.resolve("pasted.sh");
        Path output = where.resolve("pasted.out");
        String address = "127.0.0.1:" + server.port();
        Files.writeString(script, "set -eu -o pipefail\n" + commands.replace(PORT, address));
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(n -> n.startsWith("KEPTLOG_") || n.startsWith("IGGY_"));
        Path java = Path.of(ServerProcess.java()).getParent();
        builder.environment().put("PATH", java + ":" + System.getenv("PATH"));
        builder.environment().put("KEPTLOG_ROOT_USERNAME", ServerProcess.USERNAME);
        builder.environment().put("KEPTLOG_ROOT_PASSWORD", ServerProcess.PASSWORD);
        builder.environment().put("KEPTLOG_CLIENT_URL", "http://" + address);
        Process process = builder.start();
        try {
            if (!process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError(name + " does not end: " + Files.readString(output));
            }
            return new Shell.Outcome(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
