// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ServerOptionsTest {
    private static final URI SERVER = URI.create("http://127.0.0.1:3000");

    @TempDir
    Path directory;

    @Command
    private static final class Asking {
        @Mixin
        private final ServerOptions server;

        Asking(Map<String, String> environment) {
            server = new ServerOptions(environment);
        }
    }

    private static String authorization(Map<String, String> environment, String... arguments) throws IOException {
        var asking = new Asking(environment);
        new CommandLine(asking).parseArgs(arguments);
        return asking.server.authorization(SERVER);
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void secretsComeFromTheEnvironmentAndFilesAndTheNearerOneWins() throws IOException {
        Path password = Files.writeString(directory.resolve("password"), "from file\nmore\n");
        Path token = Files.writeString(directory.resolve("token"), "tok\n");
        Map<String, String> root = Map.of("KEPTLOG_ROOT_USERNAME", "root", "KEPTLOG_ROOT_PASSWORD", "rp");
        assertThat(authorization(root)).isEqualTo(basic("root:rp"));
        assertThat(authorization(Map.of("KEPTLOG_CLIENT_USERNAME", "ann", "KEPTLOG_CLIENT_PASSWORD", "pä")))
                .isEqualTo(basic("ann:pä"));
        assertThat(authorization(root, "--username", "bob", "--password-file", password.toString()))
                .isEqualTo(basic("bob:from file"));
        assertThat(authorization(Map.of("KEPTLOG_CLIENT_TOKEN", "t1"))).isEqualTo("Bearer t1");
        assertThat(authorization(
                        Map.of("KEPTLOG_CLIENT_TOKEN", "t1"),
                        "--username",
                        "bob",
                        "--password-file",
                        password.toString()))
                .isEqualTo(basic("bob:from file"));
        assertThat(authorization(root, "--token-file", token.toString())).isEqualTo("Bearer tok");
    }

    @Test
    void withoutASecretAndWithoutATerminalItSaysWhatToSet() {
        assertThatThrownBy(() -> authorization(Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("KEPTLOG_CLIENT_PASSWORD");
        assertThatThrownBy(() -> authorization(
                        Map.of(),
                        "--token-file",
                        Files.createFile(directory.resolve("empty")).toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is empty");
    }

    @Test
    void noOptionTakesASecretItself() {
        new CommandLine(new Asking(Map.of())).getCommandSpec().options().forEach(option -> assertThat(option.type())
                .isIn(URI.class, Path.class, String.class));
        assertThat(new CommandLine(new Asking(Map.of())).getCommandSpec().optionsMap())
                .doesNotContainKeys("--password", "--token");
    }

    @Test
    void partsOfAPathAreEncodedEach() {
        assertThat(ServerClient.path("streams", "a/b c+ü%", "topics", "..;"))
                .isEqualTo("/streams/a%2Fb%20c%2B%C3%BC%25/topics/..%3B");
    }
}
