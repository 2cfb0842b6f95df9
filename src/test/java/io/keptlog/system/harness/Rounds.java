// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Counts what fault tests have done. {@code -Dkeptlog.rounds=N} makes them do N rounds; each round that was checked is a line of the file
 * {@code -Dkeptlog.rounds.file}, so that a run that is ended early still counts.
 */
public final class Rounds {
    private Rounds() {}

    public static int of(int usual) {
        return Integer.getInteger("keptlog.rounds", usual);
    }

    /** One round of this kind was checked, and everything was as it must be. */
    public static void passed(String kind) {
        String file = System.getProperty("keptlog.rounds.file", "");
        if (file.isEmpty()) {
            return;
        }
        String line = kind + " passed " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n";
        try {
            Files.writeString(Path.of(file), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
