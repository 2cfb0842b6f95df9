// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TestBatches;
import io.keptlog.storage.file.FileLayers;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page of a mapped segment that cannot be read, as a bad sector makes it: an error of that read, and never the end of the process. */
class UnreadableSectorTest {
    private static final int FRAMES = 40;
    private static final int PAYLOAD_BYTES = 20_000;

    @TempDir
    Path directory;

    @Test
    void aPageThatCannotBeReadIsAnErrorOfThatReadAlone() throws IOException {
        try (StoreFixture fixture = new StoreFixture(FileLayers.system(), directory.resolve("data"))) {
            PartitionLog log = fixture.create(LogOptions.defaults(Durability.REPLICATED));
            for (int i = 0; i < FRAMES; i++) {
                log.append(TestBatches.batch(1, PAYLOAD_BYTES), Deadline.inMillis(10_000));
            }
            for (int round = 0; round < 500; round++) {
                readAll(log); // Until the checksum's machine code runs, which is what a signal would end the process
                // in.
            }
            Path segment = fixture.directory(log).resolve("00000000000000000000.log");
            try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
                file.setLength(300_000); // What lies behind is mapped still, and a read of it is the same signal.
            }
            assertThatThrownBy(() -> log.read(FRAMES - 1, 1, 1 << 20, Visibility.TOPIC))
                    .isInstanceOfSatisfying(
                            KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_DAMAGED));
            try (Slice before = log.read(0, FRAMES, 1 << 30, Visibility.TOPIC)) {
                assertThat(before.count()).isBetween(10, 14);
            }
        }
    }

    private static void readAll(PartitionLog log) {
        try (Slice slice = log.read(0, FRAMES, 1 << 30, Visibility.TOPIC)) {
            assertThat(slice.count()).isEqualTo(FRAMES);
        }
    }
}
