// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.access.Pbkdf2Passwords;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.UserService;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.journal.JournalCatalog;
import io.keptlog.storage.journal.JournalEnvironment;
import io.keptlog.storage.journal.JournalReports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Gives a user a new password, on a data directory that no server uses: for whoever lost the old one and may read the disk. Durable when
 * it returns; every session of the user has ended. Exit code 1, and nothing changed, when the directory is in use or has no such user.
 */
@Command(
        name = "reset-password",
        description = "Gives a user a new password. The server must be stopped.",
        mixinStandardHelpOptions = true)
public final class ResetPasswordCommand implements Callable<Integer> {
    static final int DONE = 0;
    static final int REFUSED = 1;

    private static final int RANDOM_BYTES = 18;

    @Parameters(paramLabel = "USER", description = "Name of the user; an id when no user has this name.")
    private String user = "";

    @Option(
            names = "--data-dir",
            description = "The server's data directory; the default follows KEPTLOG_DATA_DIR: ./data")
    private Path dataDirectory = defaultDirectory(System.getenv());

    @Option(
            names = "--password-stdin",
            description = "Read the new password from the first line of standard input instead of making a random one.")
    private boolean fromInput;

    static Path defaultDirectory(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("KEPTLOG_DATA_DIR", "./data"));
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.exists(dataDirectory.resolve("format"))) {
            return refused(dataDirectory + " is not a data directory.");
        }
        String password = fromInput ? firstLine() : random();
        if (password == null) {
            return refused("There is no password on standard input.");
        }
        try {
            reset(password);
        } catch (KeptlogException e) {
            return refused(e.reason());
        } catch (DataDirectoryException e) {
            return refused(String.valueOf(e.getMessage()));
        }
        System.out.println(
                fromInput ? "The password of " + user + " is set." : "The new password of " + user + " is " + password);
        return DONE;
    }

    private void reset(String password) {
        InstantSource clock = InstantSource.system();
        var environment = new JournalEnvironment(
                Thread.ofPlatform().daemon().name("journal-", 0).factory(), clock, StoreObserver.NONE);
        try (DataDirectory data = DataDirectory.open(FileLayers.system(), dataDirectory, clock);
                JournalReports reports = JournalReports.open(data, environment);
                JournalCatalog catalog = JournalCatalog.open(data, reports, environment)) {
            var users = new UserService(catalog, new Pbkdf2Passwords(), clock);
            UserEntry named = users.findByName(user);
            UserEntry found = named == null ? users.require(Identifier.parse(user, "user")) : named;
            users.resetPassword(found.id(), password);
        }
    }

    private static int refused(String why) {
        System.err.println("The password was not reset: " + why);
        return REFUSED;
    }

    private static @Nullable String firstLine() throws IOException {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    }

    private static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
