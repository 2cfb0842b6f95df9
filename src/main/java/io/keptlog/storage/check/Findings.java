// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.check.Finding.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects findings and what was counted. Used by one thread. */
final class Findings {
    private final Path root;
    private final List<Finding> all = new ArrayList<>();
    private final CheckProgress progress;
    int partitions;
    int segments;
    long frames;
    long messages;
    long journalRecords;
    long bytes;

    Findings(Path root, CheckProgress progress) {
        this.root = root;
        this.progress = progress;
    }

    void add(Finding finding) {
        all.add(finding);
    }

    void add(Severity severity, String component, Found found, @Nullable Path file, String detail) {
        add(Finding.of(severity, component, found, file == null ? null : relative(file), detail));
    }

    String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    void read(long more) {
        bytes += more;
        progress.advanced(more);
    }

    List<Finding> list() {
        return all;
    }
}
