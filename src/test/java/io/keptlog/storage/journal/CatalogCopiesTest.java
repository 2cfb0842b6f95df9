// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.SimulatedFiles.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two copies of the catalog, and starts that are killed when one of them has its name and the other has not. */
class CatalogCopiesTest {
    private static final Path CATALOG = JournalMachine.ROOT.resolve("catalog");

    private JournalMachine machine;

    @BeforeEach
    void start() {
        machine = new JournalMachine(1, Options.HARSH);
        machine.start();
        machine.catalog.change(s -> new CatalogChange.StreamCreated(0, 1, "a", Map.of()));
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    private void startKilledBetweenTheCopies() {
        machine.start(files -> files.failFrom(
                Call.RENAME, p -> p.startsWith(CATALOG.resolve("b")), 1, () -> new IOException("killed here")));
        assertThat(machine.catalog.faults()).hasSize(1);
        machine.kill();
    }

    @Test
    void killsBetweenTheCopiesAreNoDamage() {
        machine.kill();
        for (int kills = 1; kills <= 3; kills++) {
            startKilledBetweenTheCopies();
        }
        machine.start();
        assertThat(machine.catalog.state().streams()).hasSize(1);
        assertThat(machine.catalog.faults()).isEmpty();
        assertThat(machine.reports.list()).isEmpty();
    }

    @Test
    void aCopyThatIsGoneIsStillReported() throws IOException {
        machine.kill();
        startKilledBetweenTheCopies();
        machine.start();
        machine.stop();
        List<Path> copies = machine.disk.list(CATALOG.resolve("b"));
        machine.disk.delete(copies.stream()
                .filter(p -> p.toString().endsWith(".journal"))
                .toList()
                .getLast());
        machine.start();
        assertThat(machine.catalog.state().streams()).hasSize(1);
        assertThat(machine.reports.list())
                .singleElement()
                .matches(r -> r.found() == RecoveryReport.Found.JOURNAL_DAMAGE
                        && r.action() == RecoveryReport.Action.REBUILT);
    }
}
