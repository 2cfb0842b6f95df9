// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.access.Pbkdf2Passwords;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.service.UserService;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.journal.JournalCatalog;
import io.keptlog.storage.journal.JournalEnvironment;
import io.keptlog.storage.journal.JournalReports;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResetPasswordCommandTest {
    @TempDir
    Path directory;

    private final Pbkdf2Passwords hashing = new Pbkdf2Passwords();

    private <T> T withUsers(Function<UserService, T> work) {
        var environment =
                new JournalEnvironment(Thread.ofPlatform().factory(), InstantSource.system(), StoreObserver.NONE);
        try (DataDirectory data = DataDirectory.open(FileLayers.system(), directory, InstantSource.system());
                JournalReports reports = JournalReports.open(data, environment);
                JournalCatalog catalog = JournalCatalog.open(data, reports, environment)) {
            return work.apply(new UserService(catalog, hashing, InstantSource.system()));
        }
    }

    private void aStoreWithAUser() {
        withUsers(users -> users.createRoot("iggy", "forgotten"));
    }

    private boolean isPassword(String password) {
        return withUsers(users -> {
            UserEntry root = users.findByName("iggy");
            assertThat(root).isNotNull();
            return hashing.matches(password, root.passwordHash());
        });
    }

    /** Exit code and what was printed. */
    private record Run(int exitCode, String output) {}

    private Run run(String input, String... more) {
        InputStream in = System.in;
        PrintStream out = System.out;
        PrintStream err = System.err;
        var printed = new ByteArrayOutputStream();
        try (var stream = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            System.setOut(stream);
            System.setErr(stream);
            var arguments = new java.util.ArrayList<>(List.of("reset-password", "--data-dir", directory.toString()));
            arguments.addAll(List.of(more));
            int exitCode = Commands.run(arguments.toArray(String[]::new)).orElseThrow();
            return new Run(exitCode, printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void aRandomPasswordIsPrintedOnceAndWorks() {
        aStoreWithAUser();
        Run run = run("", "iggy");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(ResetPasswordCommand.DONE);
        String password = run.output().strip().replaceFirst(".* is ", "");
        assertThat(isPassword(password)).isTrue();
        assertThat(isPassword("forgotten")).isFalse();
    }

    @Test
    void aPasswordFromStandardInputIsSetAndNotPrinted() {
        aStoreWithAUser();
        Run run = run("new word\n", "--password-stdin", "iggy");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(ResetPasswordCommand.DONE);
        assertThat(run.output()).doesNotContain("new word");
        assertThat(isPassword("new word")).isTrue();
    }

    @Test
    void whatCannotBeDoneIsOneLineAndChangesNothing() throws Exception {
        assertThat(run("", "iggy").exitCode()).isEqualTo(ResetPasswordCommand.REFUSED);
        try (var files = Files.list(directory)) {
            assertThat(files.findAny()).as("no data directory is made").isEqualTo(Optional.empty());
        }
        aStoreWithAUser();
        Run absent = run("", "nobody");
        assertThat(absent.exitCode()).isEqualTo(ResetPasswordCommand.REFUSED);
        assertThat(absent.output().strip()).hasLineCount(1);
        assertThat(run("x\n", "--password-stdin", "iggy").exitCode()).isEqualTo(ResetPasswordCommand.REFUSED);
        assertThat(run("", "--password-stdin", "iggy").exitCode()).isEqualTo(ResetPasswordCommand.REFUSED);
        Run inUse = withUsers(users -> run("", "iggy"));
        assertThat(inUse.exitCode()).isEqualTo(ResetPasswordCommand.REFUSED);
        assertThat(inUse.output()).contains("in use");
        assertThat(isPassword("forgotten")).isTrue();
    }

    @Test
    void theDirectoryFollowsTheEnvironment() {
        assertThat(ResetPasswordCommand.defaultDirectory(Map.of())).isEqualTo(Path.of("./data"));
        assertThat(ResetPasswordCommand.defaultDirectory(Map.of("KEPTLOG_DATA_DIR", "/var/lib/keptlog")))
                .isEqualTo(Path.of("/var/lib/keptlog"));
    }
}
