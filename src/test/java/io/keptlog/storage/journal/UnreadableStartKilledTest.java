// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ConsumerKey.Kind;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.SimulatedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A disk that refuses to read a journal during one start, and a kill anywhere in that start: what is gone afterwards is told. */
class UnreadableStartKilledTest {
    private static final int CHANGES_OF_A_START = 90;
    private static final PartitionSpec PARTITION =
            new PartitionSpec(new PartitionRef(1, 2, 3), 77, LogOptions.defaults(Durability.PERSISTED));
    private static final ConsumerKey CONSUMER = new ConsumerKey(Kind.CONSUMER, 5);
    private static final RecoveryReport PRECIOUS = new RecoveryReport(
            Instant.parse("2026-11-30T10:00:00Z"),
            null,
            0,
            Found.TORN_TAIL,
            Action.CUT,
            3,
            4,
            -1,
            -1,
            true,
            null,
            "precious");

    @ParameterizedTest(name = "{0}, power cut {1}")
    @CsvSource({"reports, false", "reports, true", "offsets, false", "offsets, true", "'', false", "'', true"})
    void whatIsGoneAfterwardsIsTold(String unreadable, boolean powerCut) {
        int killed = 0;
        for (int change = 1; change < CHANGES_OF_A_START; change++) {
            try (var machine = new JournalMachine(change, SimulatedFiles.Options.HARSH)) {
                prepare(machine);
                boolean started = startsUnreadable(machine, unreadable, change);
                killed += started ? 0 : 1;
                end(machine, powerCut, change);
                machine.start();
                String as = "stopped at change " + change;
                List<RecoveryReport> reports = machine.reports.list();
                assertThat(reports.contains(PRECIOUS) || tells(reports, "report journal"))
                        .as(as + ", reports: " + reports)
                        .isTrue();
                long offset = machine.offsets.get(PARTITION, CONSUMER).orElse(-1);
                assertThat(offset == 7 || tells(reports, "offset journal"))
                        .as(as + ", offset " + offset + ", reports: " + reports)
                        .isTrue();
            }
        }
        assertThat(killed).as("the kills reached the start").isBetween(10, CHANGES_OF_A_START - 1);
    }

    private static void prepare(JournalMachine machine) {
        machine.start();
        machine.reports.add(PRECIOUS);
        long end = machine.offsets.store(PARTITION, CONSUMER, 7);
        machine.offsets.tail(PARTITION).awaitPersisted(end, Deadline.in(Duration.ofSeconds(20)));
        machine.kill();
    }

    private static boolean startsUnreadable(JournalMachine machine, String name, int change) {
        machine.disk.stopAfter(change);
        try {
            machine.start(files -> files.failFrom(
                    FaultyFiles.Call.READ, path -> isJournal(path, name), 1, () -> new IOException("EIO")));
            machine.disk.stopAfter(Long.MAX_VALUE);
            return !machine.disk.stopped();
        } catch (DataDirectoryException | KeptlogException | UncheckedIOException killed) {
            return false;
        }
    }

    private static boolean isJournal(Path path, String part) {
        return path.toString().contains(".journal") && path.toString().contains("/" + part);
    }

    private static void end(JournalMachine machine, boolean powerCut, int change) {
        if (powerCut) {
            machine.cutPower(new Random(change));
        } else {
            machine.kill();
        }
    }

    private static boolean tells(List<RecoveryReport> reports, String component) {
        return reports.stream()
                .anyMatch(report -> report.found() == Found.JOURNAL_DAMAGE
                        && report.detail().startsWith(component));
    }
}
