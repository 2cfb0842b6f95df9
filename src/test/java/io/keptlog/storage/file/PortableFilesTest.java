// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

class PortableFilesTest extends RealFilesContract {
    private final FileLayer layer = new PortableFiles();

    @Override
    FileLayer layer() {
        return layer;
    }
}
