// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.client;

import java.io.Console;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which server, and who asks. Secrets come from files, the environment or the terminal and never from the command line, which every user of
 * a machine can read.
 */
final class ServerOptions {
    private static final String DEFAULT_URL = "http://127.0.0.1:3000";
    private static final String DEFAULT_USERNAME = "iggy";
    private static final Set<String> SCHEMES = Set.of("http", "https");

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server; default KEPTLOG_CLIENT_URL, else " + DEFAULT_URL + ".")
    private @Nullable String url;

    @Option(
            names = "--username",
            paramLabel = "NAME",
            description = "Default: KEPTLOG_CLIENT_USERNAME, else KEPTLOG_ROOT_USERNAME, else " + DEFAULT_USERNAME
                    + ". The password: --password-file, else KEPTLOG_CLIENT_PASSWORD, else KEPTLOG_ROOT_PASSWORD, else the"
                    + " terminal is asked.")
    private @Nullable String username;

    @Option(names = "--password-file", paramLabel = "FILE", description = "Its first line is the password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Its first line is a personal access token, used instead of a name; default KEPTLOG_CLIENT_TOKEN.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificates in PEM that are trusted for https, instead of the Java runtime's; default"
                    + " KEPTLOG_CLIENT_CA_FILE.")
    private @Nullable Path caFile;

    private final Map<String, String> environment;

    ServerOptions() {
        this(System.getenv());
    }

    ServerOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * @throws IOException a file cannot be read, or there is no password: nothing was asked
     */
    ServerClient connect() throws IOException {
        URI server = url();
        Path authority =
                caFile != null ? caFile : variable("CA_FILE").map(Path::of).orElse(null);
        return new ServerClient(server, authorization(server), authority);
    }

    private URI url() throws IOException {
        String given = url != null ? url : variable("URL").orElse(DEFAULT_URL);
        try {
            URI server = new URI(given);
            if (server.getHost() != null && SCHEMES.contains(String.valueOf(server.getScheme()))) {
                return server;
            }
        } catch (URISyntaxException e) {
            throw new IOException(urlLooksLike(given), e);
        }
        throw new IOException(urlLooksLike(given));
    }

    private static String urlLooksLike(String given) {
        return "the server's URL (--url, KEPTLOG_CLIENT_URL) looks like " + DEFAULT_URL + ", not like " + given;
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get("KEPTLOG_CLIENT_" + name)).filter(value -> !value.isEmpty());
    }

    String authorization(URI server) throws IOException {
        Optional<String> token = tokenFile != null ? Optional.of(firstLine(tokenFile)) : Optional.empty();
        if (token.isEmpty() && passwordFile == null && username == null) {
            token = variable("TOKEN");
        }
        if (token.isPresent()) {
            return "Bearer " + token.get();
        }
        String name = username != null
                ? username
                : variable("USERNAME")
                        .orElseGet(() -> environment.getOrDefault("KEPTLOG_ROOT_USERNAME", DEFAULT_USERNAME));
        String pair = name + ":" + password(name, server);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private String password(String name, URI server) throws IOException {
        if (passwordFile != null) {
            return firstLine(passwordFile);
        }
        Optional<String> given =
                variable("PASSWORD").or(() -> Optional.ofNullable(environment.get("KEPTLOG_ROOT_PASSWORD")));
        if (given.isPresent()) {
            return given.get();
        }
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> console.readPassword("Password of %s at %s: ", name, server))
                .map(String::new)
                .orElseThrow(() -> new IOException(
                        "a password or a token is needed: set KEPTLOG_CLIENT_PASSWORD or KEPTLOG_CLIENT_TOKEN,"
                                + " or give --password-file or --token-file"));
    }

    private static String firstLine(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.findFirst()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .orElseThrow(() -> new IOException(file + " is empty"));
        }
    }
}
