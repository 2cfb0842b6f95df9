// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The wrapper changes nothing until it is told to. */
class FaultyFilesTest extends FileLayerContract {
    private final FaultyFiles files = new FaultyFiles(new SimulatedFiles(1));

    @Override
    FileLayer layer() {
        return files;
    }

    @Override
    Path directory() {
        return SimulatedFiles.ROOT;
    }

    @Test
    void theChosenCallFailsWithTheChosenThrowable() throws IOException {
        StoreFile file = files.open(directory().resolve("f"), Mode.CREATE_NEW);
        files.fail(Call.SYNC, path -> true, 2, () -> new InternalError("a fault in a mapped page"));
        file.syncData();
        assertThatThrownBy(file::syncData).isInstanceOf(InternalError.class);
        file.syncData();
        assertThat(files.count(Call.SYNC)).isEqualTo(3);
    }

    @Test
    void aFailedWriteLeavesItsFirstBytes() throws IOException {
        StoreFile file = files.open(directory().resolve("f"), Mode.CREATE_NEW);
        files.failWriteAfter(2, path -> true, 1, () -> new NoSpaceException("full"));
        assertThatThrownBy(() -> file.write(heap("abc"), 0)).isInstanceOf(NoSpaceException.class);
        assertThat(text(file, 0, 10)).isEqualTo("ab");
    }

    @Test
    void aSyncIsHeldUntilItIsReleased() throws Exception {
        StoreFile file = files.open(directory().resolve("f"), Mode.CREATE_NEW);
        FaultyFiles.Hold hold = files.hold(Call.SYNC, path -> path.endsWith("f"));
        var synced = CompletableFuture.runAsync(() -> {
            try {
                file.syncData();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        hold.awaitArrival();
        assertThat(synced).isNotDone();
        hold.release();
        synced.get(30, TimeUnit.SECONDS);
    }
}
