// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.util.Locale;
import java.util.Set;

/** Chooses the file layer of this machine. */
public final class FileLayers {
    /** Where the C library's constants are those that {@link Libc} names and a file position is a Java long. */
    private static final Set<String> POSIX_MACHINES =
            Set.of("amd64", "x86_64", "aarch64", "riscv64", "ppc64le", "s390x");

    private FileLayers() {}

    public static FileLayer system() {
        boolean linux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
        return linux && POSIX_MACHINES.contains(System.getProperty("os.arch", ""))
                ? new PosixFiles()
                : new PortableFiles();
    }
}
