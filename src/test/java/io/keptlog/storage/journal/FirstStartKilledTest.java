// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.SimulatedFiles;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** A first start that is killed has lost nothing, since nobody had been told anything yet. */
class FirstStartKilledTest {
    private static final int CHANGES_OF_A_START = 90;

    /** The second kill meets what the first one left behind, at each of its own changes. */
    @Test
    void killedTwiceAtAnyChangesTheNextStartReportsNoDamage() {
        int killed = 0;
        for (int first = 1; first < CHANGES_OF_A_START; first += 8) {
            for (int second = 1; second < CHANGES_OF_A_START; second++) {
                try (var machine = new JournalMachine(first, SimulatedFiles.Options.HARSH)) {
                    for (int kill : new int[] {first, second}) {
                        if (!startsBefore(machine, kill)) {
                            killed++;
                        }
                        machine.kill();
                    }
                    machine.start();
                    assertThat(machine.reports.list())
                            .as("killed at changes %d and %d", first, second)
                            .isEmpty();
                    assertThat(machine.catalog.faults()).isEmpty();
                }
            }
        }
        assertThat(killed).isGreaterThan(CHANGES_OF_A_START * CHANGES_OF_A_START / 8);
    }

    private static boolean startsBefore(JournalMachine machine, int change) {
        machine.disk.stopAfter(change);
        try {
            machine.start();
            machine.disk.stopAfter(Long.MAX_VALUE);
            return machine.reports.faults().isEmpty()
                    && machine.catalog.faults().isEmpty()
                    && machine.offsets.faults().isEmpty();
        } catch (DataDirectoryException | KeptlogException | UncheckedIOException killed) {
            return false;
        }
    }
}
