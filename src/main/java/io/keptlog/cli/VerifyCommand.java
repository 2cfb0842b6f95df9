// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.storage.check.CheckReport;
import io.keptlog.storage.check.DataCheck;
import io.keptlog.storage.check.Finding;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.FileLayers;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads a whole data directory and says what is damaged. Writes nothing; a server may be running on it. */
@Command(
        name = "verify",
        description = "Reads every frame, index, checkpoint and journal of a data directory and says what is damaged."
                + " Changes nothing; the server may run.",
        footer = "Exit code: 0 nothing is damaged, 1 something is, 2 the directory cannot be read.",
        mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
    static final int CLEAN = 0;
    static final int DAMAGED = 1;
    static final int UNREADABLE = 2;

    private static final double MILLIS_PER_SECOND = 1000;

    @Mixin
    private DataDirOption data = new DataDirOption();

    @Option(names = "--json", description = "Print the report as one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        CheckReport report;
        try (var progress = new Progress("verify")) {
            report = DataCheck.run(FileLayers.system(), data.directory(), progress);
        } catch (DataDirectoryException | IOException e) {
            return Output.refuse("Not verified", String.valueOf(e.getMessage()), UNREADABLE);
        }
        if (json) {
            System.out.println(Output.json(report));
        } else {
            print(report);
        }
        return report.damaged() ? DAMAGED : CLEAN;
    }

    private static void print(CheckReport report) {
        System.out.println(report.dataDir() + ": start " + report.epoch() + " of the server, "
                + (report.inUse() ? "in use now" : "not in use"));
        double seconds = Math.max(1, report.millis()) / MILLIS_PER_SECOND;
        System.out.printf(
                Locale.ROOT,
                "%,d partitions, %,d segments, %,d frames, %,d messages, %,d journal records; %s in %.1f s (%s/s)%n",
                report.partitions(),
                report.segments(),
                report.frames(),
                report.messages(),
                report.journalRecords(),
                Output.size(report.bytes()),
                seconds,
                Output.size((long) (report.bytes() / seconds)));
        report.findings().forEach(finding -> System.out.println(line(finding)));
        long damages = report.findings().stream()
                .filter(f -> f.severity() == Finding.Severity.DAMAGE)
                .count();
        System.out.println(damages == 0 ? "Nothing is damaged." : "Damaged: " + damages + " findings.");
    }

    private static String line(Finding finding) {
        var line = new StringBuilder(finding.severity().name())
                .append("  ")
                .append(finding.component())
                .append("  ")
                .append(finding.found().name().toLowerCase(Locale.ROOT));
        if (finding.fromOffset() >= 0) {
            line.append("  from offset ").append(finding.fromOffset());
            line.append(finding.toOffset() < 0 ? " on" : " to " + finding.toOffset());
        }
        if (finding.file() != null) {
            line.append("  ").append(finding.file());
        }
        return line.append("  ").append(finding.detail()).toString();
    }
}
