// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DurableFilesTest {
    private static final Path DIRECTORY = SimulatedFiles.ROOT.resolve("catalog/a");

    @Test
    void aDirectoryIsDurableAlsoWhenAStartThatWasKilledHadMadeIt() throws IOException {
        for (int killedAfter = 0; killedAfter < 5; killedAfter++) {
            var files = new SimulatedFiles(killedAfter);
            DurableFiles.createDirectories(files, DIRECTORY.getParent());
            files.stopAfter(killedAfter);
            try {
                DurableFiles.createDirectories(files, DIRECTORY);
            } catch (IOException e) {
                assertThat(files.stopped()).isTrue();
            }
            files = files.processKill();
            DurableFiles.createDirectories(files, DIRECTORY);
            for (int cut = 0; cut < 20; cut++) {
                SimulatedFiles copy = files.processKill();
                assertThat(copy.powerCut(new Random(cut)).exists(DIRECTORY)).isTrue();
            }
        }
    }
}
