// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the container image runs, taken from {@code Dockerfile}, with this machine's Java and the directory that stands in for
 * {@code /app}.
 *
 * @param serve the entry point
 * @param health what asks whether it lives
 */
public record ImageCommands(List<String> serve, List<String> health) {
    private static final Pattern SERVE = Pattern.compile("(?m)^ENTRYPOINT (\\[.*])$");
    private static final Pattern HEALTH = Pattern.compile("(?m)^HEALTHCHECK .*\\\\\n +CMD (\\[.*])$");

    public static ImageCommands of(Path dockerfile, Path app) {
        try {
            String text = Files.readString(dockerfile);
            return new ImageCommands(command(text, SERVE, app), command(text, HEALTH, app));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(String text, Pattern where, Path app) {
        String list = where.matcher(text)
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + where))
                .group(1);
        return List.of(new JsonMapper().readValue(list, String[].class)).stream()
                .map(word -> word.equals("/opt/jre/bin/java") ? ServerProcess.java() : word.replace("/app/", app + "/"))
                .toList();
    }
}
