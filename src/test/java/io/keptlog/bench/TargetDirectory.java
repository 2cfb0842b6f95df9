// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Below target/, on the disk of the project: the system's temporary directory may be in memory. */
public final class TargetDirectory implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.createTempDirectory(
                Files.createDirectories(Path.of("target").toAbsolutePath()), "bench");
    }
}
