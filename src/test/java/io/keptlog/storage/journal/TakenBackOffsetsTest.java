// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ConsumerKey.Kind;
import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.SimulatedFiles.Options;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is remembered of an offset that a recovery took back. */
class TakenBackOffsetsTest {
    private static final PartitionSpec PARTITION =
            new PartitionSpec(new PartitionRef(1, 2, 3), 99, LogOptions.defaults(Durability.REPLICATED));
    private static final ConsumerKey READER = new ConsumerKey(Kind.CONSUMER, 7);

    private JournalMachine machine;

    @BeforeEach
    void start() {
        machine = new JournalMachine(1, Options.HARSH);
        machine.start();
        machine.offsets.store(PARTITION, READER, 41);
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    @Test
    void itIsKnownOverRestartsUntilTheConsumerStoresAnother() {
        machine.offsets.clamp(PARTITION, 0, 30);
        assertThat(machine.offsets.takenBack(PARTITION, READER)).hasValue(41);
        machine.cutPower(new Random(2));
        machine.start();
        machine.restart();
        assertThat(machine.offsets.get(PARTITION, READER)).hasValue(29);
        assertThat(machine.offsets.takenBack(PARTITION, READER)).hasValue(41);
        machine.offsets.store(PARTITION, READER, 30);
        assertThat(machine.offsets.takenBack(PARTITION, READER)).isEmpty();
        machine.restart();
        assertThat(machine.offsets.takenBack(PARTITION, READER)).isEmpty();
    }

    @Test
    void aSecondCutKeepsTheFarthestThatTheConsumerMayHaveSeen() {
        machine.offsets.clamp(PARTITION, 0, 30);
        machine.offsets.clamp(PARTITION, 0, 10);
        machine.restart();
        assertThat(machine.offsets.get(PARTITION, READER)).hasValue(9);
        assertThat(machine.offsets.takenBack(PARTITION, READER)).hasValue(41);
    }

    @Test
    void anOffsetOfWhichNothingWasKeptIsRememberedAsWell() {
        machine.offsets.clamp(PARTITION, 5, 5);
        machine.restart();
        assertThat(machine.offsets.get(PARTITION, READER)).isEmpty();
        assertThat(machine.offsets.takenBack(PARTITION, READER)).hasValue(41);
    }

    @Test
    void itEndsWithTheLifeOfThePartitionAndIsOfNoOther() {
        machine.offsets.clamp(PARTITION, 0, 30);
        var later = new PartitionSpec(PARTITION.ref(), 100, PARTITION.options());
        assertThat(machine.offsets.takenBack(later, READER)).isEmpty();
        machine.offsets.forget(java.util.List.of(PARTITION));
        machine.restart();
        assertThat(machine.offsets.takenBack(PARTITION, READER)).isEmpty();
    }
}
