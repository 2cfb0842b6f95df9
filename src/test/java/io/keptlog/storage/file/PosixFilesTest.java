// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PosixFilesTest extends RealFilesContract {
    private final FileLayer layer = new PosixFiles();

    @Override
    FileLayer layer() {
        return layer;
    }
}
