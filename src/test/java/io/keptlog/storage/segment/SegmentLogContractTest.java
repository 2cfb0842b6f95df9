// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.LogOptions;
import io.keptlog.storage.IdempotentAppendContract;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.file.FileLayers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract on real files. */
class SegmentLogContractTest extends IdempotentAppendContract {
    @TempDir
    Path directory;

    private StoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = new StoreFixture(FileLayers.system(), directory.resolve("data"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Override
    protected PartitionLog create(LogOptions options) {
        return fixture.create(options);
    }

    @Override
    protected void delete(PartitionLog log) {
        fixture.delete(log);
    }
}
