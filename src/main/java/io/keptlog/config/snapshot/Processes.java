// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config.snapshot;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * What runs: processes without their arguments (which may hold secrets), the threads of this one, virtual ones included, and its memory.
 * Keeps no state.
 */
final class Processes {
    private Processes() {}

    static void list(Writer out) throws IOException {
        List<ProcessHandle> all = ProcessHandle.allProcesses()
                .sorted(Comparator.comparingLong(ProcessHandle::pid))
                .toList();
        for (ProcessHandle process : all) {
            ProcessHandle.Info info = process.info();
            out.append(String.format(
                    "%8d  %-12s %8d ms  %s%n",
                    process.pid(),
                    info.user().orElse("-"),
                    info.totalCpuDuration().orElse(Duration.ZERO).toMillis(),
                    info.command().orElse("-")));
        }
    }

    static void threads(Writer out) throws IOException {
        Path directory = Files.createTempDirectory("keptlog-threads");
        Path file = directory.resolve("threads.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            out.append(Files.readString(file, StandardCharsets.UTF_8));
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        }
    }

    static void memory(Writer out) throws IOException {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            out.append(pool.getName())
                    .append(": ")
                    .append(String.valueOf(pool.getUsage()))
                    .append('\n');
        }
    }
}
