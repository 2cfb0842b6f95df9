// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.check.Finding.Severity;
import io.keptlog.storage.file.DataDirectoryLook;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.JournalLoader;
import io.keptlog.storage.journal.format.LoadedJournal;
import io.keptlog.storage.journal.format.LoadedJournal.Condition;
import io.keptlog.storage.journal.record.CatalogReplay;
import io.keptlog.storage.journal.record.OffsetRecord;
import io.keptlog.storage.journal.record.ReportRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verifies the journals: every frame of every copy, and that each record says something that this program understands. */
final class JournalCheck {
    private final FileLayer files;
    private final DataDirectoryLook data;
    private final Findings findings;

    JournalCheck(FileLayer files, DataDirectoryLook data, Findings findings) {
        this.files = files;
        this.data = data;
        this.findings = findings;
    }

    /** Understands one record. */
    private interface Decoder {
        void decode(byte[] payload);
    }

    /** @return the catalog; null when it cannot be trusted to name every partition */
    @Nullable
    CatalogState catalog() {
        Path directory = data.root().resolve("catalog");
        LoadedJournal loaded = load("catalog", List.of(directory.resolve("a"), directory.resolve("b")));
        if (loaded == null) {
            return null;
        }
        var replay = new CatalogReplay(loaded.earlier().isEmpty() ? loaded.frames() : loaded.earlier());
        String problem = replay.problem();
        if (problem != null) {
            findings.add(Severity.DAMAGE, "catalog journal", Found.JOURNAL_DAMAGE, directory, problem + ".");
        }
        boolean whole =
                problem == null && loaded.condition() != Condition.DAMAGED && loaded.condition() != Condition.EMPTY;
        return whole ? replay.state() : null;
    }

    void offsets() {
        decode("offset", "offsets", payload -> {
            var unused = OffsetRecord.decode(payload);
        });
    }

    void reports() {
        decode("report", "reports", payload -> {
            var unused = ReportRecord.read(payload);
        });
    }

    private void decode(String name, String part, Decoder decoder) {
        Path directory = data.root().resolve(part);
        LoadedJournal loaded = load(name, part, List.of(directory));
        if (loaded == null) {
            return;
        }
        for (List<Frame> frames : List.of(loaded.earlier(), loaded.frames(), loaded.beyond())) {
            for (Frame frame : frames) {
                if (frame.kind() == Frame.Kind.SNAPSHOT_END) {
                    continue;
                }
                try {
                    decoder.decode(frame.payload());
                } catch (RuntimeException e) {
                    findings.add(
                            Severity.DAMAGE,
                            name + " journal",
                            Found.JOURNAL_DAMAGE,
                            directory,
                            "Record " + frame.index() + " is whole and says nothing that is known: " + e.getMessage());
                }
            }
        }
    }

    private @Nullable LoadedJournal load(String part, List<Path> directories) {
        return load(part, part, directories);
    }

    private @Nullable LoadedJournal load(String name, String part, List<Path> directories) {
        String component = name + " journal";
        Path directory = data.root().resolve(part);
        LoadedJournal loaded;
        try {
            loaded = JournalLoader.load(files, directories);
        } catch (IOException e) {
            findings.add(
                    Severity.DAMAGE, component, Found.READ_ERROR, directory, "It cannot be read: " + e.getMessage());
            return null;
        }
        findings.journalRecords += loaded.frames().size() + loaded.beyond().size();
        switch (loaded.condition()) {
            case CLEAN -> {}
            case EMPTY -> {
                if (data.parts().made(part)) {
                    findings.add(Severity.DAMAGE, component, Found.JOURNAL_DAMAGE, directory, "It is gone.");
                }
            }
            case TORN -> findings.add(range(
                    data.inUse() ? Severity.NOTE : Severity.CRASH, component, Found.JOURNAL_TAIL, directory, loaded));
            case ONE_COPY_BAD, DAMAGED -> findings.add(
                    range(Severity.DAMAGE, component, Found.JOURNAL_DAMAGE, directory, loaded));
        }
        return loaded;
    }

    private Finding range(Severity severity, String component, Found found, Path directory, LoadedJournal loaded) {
        boolean spare = loaded.condition() == Condition.ONE_COPY_BAD;
        return new Finding(
                severity,
                component,
                found,
                findings.relative(directory),
                -1,
                -1,
                loaded.fromPosition(),
                loaded.toPosition(),
                loaded.detail() + (spare ? " (the other copy has everything)" : ""));
    }
}
