// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which data directory a command works on. */
final class DataDirOption {
    @Option(
            names = "--data-dir",
            description = "The server's data directory; the default follows KEPTLOG_DATA_DIR: ./data")
    private Path directory = defaultDirectory(System.getenv());

    static Path defaultDirectory(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("KEPTLOG_DATA_DIR", "./data"));
    }

    Path directory() {
        return directory;
    }
}
