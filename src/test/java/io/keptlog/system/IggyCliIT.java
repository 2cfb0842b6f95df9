// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Apache Iggy's own command line against the jar, over HTTP: every command that it has for HTTP. Needs the program
 * ({@code cargo install iggy-cli}) and is told where it is: {@code -Diggy.cli=/path/to/iggy}. What it sends is also in
 * IggyRustClientTest, which needs nothing.
 */
@Tag("long")
class IggyCliIT {
    @TempDir
    Path directory;

    private List<String> command = List.of();

    /** The command's output; its exit code must be 0. */
    private String iggy(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("HOME", directory.toString());
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("no end: " + String.join(" ", all));
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue())
                .as(String.join(" ", arguments) + "\n" + text)
                .isZero();
        return text;
    }

    @Test
    void everyCommandForHttpWorks() throws Exception {
        String program = System.getProperty("iggy.cli", "");
        assumeTrue(!program.isEmpty(), "no -Diggy.cli");
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"))) {
            command = List.of(
                    program,
                    "--transport",
                    "http",
                    "--http-api-url",
                    "http://127.0.0.1:" + server.port(),
                    "-u",
                    ServerProcess.USERNAME,
                    "-p",
                    ServerProcess.PASSWORD);
            assertThat(iggy("ping", "-c", "2")).contains("2 ping commands");
            server();
            streamsAndTopics();
            messages();
            groupsAndOffsets();
            users(server);
            iggy("segment", "delete", "s2", "t2", "0", "1");
            iggy("topic", "purge", "s2", "t2");
            iggy("stream", "purge", "s2");
            iggy("topic", "delete", "s2", "t2");
            iggy("stream", "delete", "s2");
            assertThat(iggy("stream", "get", "s2")).contains("not found");
        }
    }

    private void server() throws Exception {
        assertThat(iggy("stats")).contains("Iggy Server PID").contains("Kernel Version");
        assertThat(iggy("options", "topic")).contains("consumer_offset_durability");
        assertThat(iggy("client", "list")).contains("127.0.0.1");
        assertThat(iggy("client", "get", "1")).contains("http");
        assertThat(iggy("cluster", "metadata")).contains("leader").contains("healthy");
        iggy("snapshot", "-c", "deflated", "-s", "server_logs");
    }

    private void streamsAndTopics() throws Exception {
        iggy("stream", "create", "s1");
        assertThat(iggy("stream", "list")).contains("s1");
        iggy("stream", "update", "s1", "s2");
        assertThat(iggy("stream", "get", "s2")).contains("s2");
        iggy("topic", "create", "s2", "t1", "2", "none", "1day");
        assertThat(iggy("topic", "list", "s2")).contains("1day").contains("unlimited");
        iggy("topic", "update", "s2", "t1", "t2", "gzip", "2days");
        assertThat(iggy("topic", "get", "s2", "t2")).contains("gzip").contains("2days");
        iggy("partition", "create", "s2", "t2", "2");
        iggy("partition", "delete", "s2", "t2", "1");
        assertThat(iggy("topic", "get", "s2", "t2")).containsPattern("Partitions count\\s*\\|\\s*3");
    }

    private void messages() throws Exception {
        iggy("message", "send", "--partition-id", "0", "s2", "t2", "hello", "world");
        iggy("message", "send", "--message-key", "key", "s2", "t2", "keyed");
        iggy("message", "send", "s2", "t2", "balanced");
        iggy("message", "send", "--partition-id", "1", "-H", "kind:string:text,n:uint16:7", "s2", "t2", "with headers");
        assertThat(iggy("message", "poll", "--offset", "0", "s2", "t2", "0")).contains("hello");
        assertThat(iggy("message", "poll", "--first", "s2", "t2", "0")).contains("hello");
        assertThat(iggy("message", "poll", "-s", "--last", "s2", "t2", "1")).contains("Header: n");
        assertThat(iggy("message", "poll", "--consumer", "5", "--next", "-a", "s2", "t2", "0"))
                .contains("hello");
        iggy("message", "flush", "s2", "t2", "0");
        iggy("message", "flush", "-f", "s2", "t2", "0");
    }

    private void groupsAndOffsets() throws Exception {
        iggy("consumer-group", "create", "s2", "t2", "g1");
        assertThat(iggy("consumer-group", "list", "s2", "t2")).contains("g1");
        assertThat(iggy("consumer-group", "get", "s2", "t2", "g1")).contains("g1");
        iggy("consumer-offset", "set", "reader", "s2", "t2", "0", "1");
        assertThat(iggy("consumer-offset", "get", "reader", "s2", "t2", "0")).contains("1");
        iggy("consumer-group", "delete", "s2", "t2", "g1");
    }

    private void users(ServerProcess server) throws Exception {
        iggy("user", "create", "user1", "secretpw", "-g", "poll_messages");
        assertThat(iggy("user", "list")).contains("user1");
        assertThat(iggy("user", "get", "user1")).containsPattern("Poll Messages\\s*\\|\\s*true");
        iggy("user", "permissions", "user1");
        iggy("user", "status", "user1", "inactive");
        iggy("user", "status", "user1", "active");
        iggy("user", "password", "user1", "secretpw", "otherpw");
        iggy("user", "name", "user1", "user2");
        iggy("user", "delete", "user2");
        Matcher token = Pattern.compile("Token: (\\S+)").matcher(iggy("pat", "create", "token1", "1day"));
        assertThat(token.find()).isTrue();
        assertThat(iggy("pat", "list")).contains("token1");
        List<String> byPassword = command;
        command = List.of(
                byPassword.getFirst(),
                "--transport",
                "http",
                "--http-api-url",
                "http://127.0.0.1:" + server.port(),
                "-t",
                token.group(1));
        assertThat(iggy("stream", "list")).contains("s2");
        command = byPassword;
    }
}
