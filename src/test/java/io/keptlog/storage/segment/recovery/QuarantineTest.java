// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuarantineTest {
    private static final Path DATA = SimulatedFiles.ROOT;
    private static final Path SOURCE = DATA.resolve("source");
    private static final PartitionSpec SPEC =
            new PartitionSpec(LogFixture.REF, 5, LogOptions.defaults(Durability.REPLICATED));
    private static final long BOUND_BYTES = 1000;

    private final SimulatedFiles machine = new SimulatedFiles(1);
    private final Quarantine quarantine = new Quarantine(machine, DATA, SPEC, BOUND_BYTES);
    private final QuarantineDirectory directory = new QuarantineDirectory(machine, DATA);

    @BeforeEach
    void aSource() throws IOException {
        try (StoreFile file = machine.open(SOURCE, FileLayer.Mode.CREATE_NEW)) {
            file.write(MemorySegment.ofArray(new byte[5000]), 0);
        }
    }

    @Test
    void copiesStayBelowTheirBoundAndRoomIsMadeByDeletingOne() throws IOException {
        String first = quarantine.copy(SOURCE, 0, 600, 7);
        String second = quarantine.copy(SOURCE, 0, 400, 7);
        assertThat(directory.sizeBytes()).isEqualTo(1000);
        assertThatThrownBy(() -> quarantine.copy(SOURCE, 0, 1, 7))
                .isInstanceOf(QuarantineFullException.class)
                .hasMessageContaining("bound");
        assertThat(directory.delete(first)).isTrue();
        assertThat(directory.delete(first)).isFalse();
        assertThat(quarantine.copy(SOURCE, 0, 600, 7)).isNotEqualTo(second);
        assertThat(directory.sizeBytes()).isEqualTo(1000);
    }

    @Test
    void aSingleTailAboveTheBoundHasRoomAndMovedFilesDoNotCount() throws IOException {
        String large = quarantine.copy(SOURCE, 0, 3000, 7);
        assertThat(directory.delete(large)).isTrue();
        String moved = quarantine.move(SOURCE, 9);
        assertThat(directory.sizeBytes()).isEqualTo(5000);
        try (StoreFile file = machine.open(SOURCE, FileLayer.Mode.CREATE_NEW)) {
            file.write(MemorySegment.ofArray(new byte[900]), 0);
        }
        assertThat(quarantine.copy(SOURCE, 0, 900, 7)).endsWith(".tail");
        assertThat(directory.delete(moved)).isTrue();
    }

    @Test
    void nothingOutsideIsEverDeleted() throws IOException {
        String copy = quarantine.copy(SOURCE, 0, 10, 7);
        for (String name : new String[] {"source", "quarantine/../source", "../x", "quarantine", "/source", ""}) {
            assertThat(directory.delete(name)).as(name).isFalse();
        }
        assertThat(machine.exists(SOURCE)).isTrue();
        assertThat(machine.exists(DATA.resolve(copy))).isTrue();
    }
}
