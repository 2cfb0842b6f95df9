// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import com.sun.management.OperatingSystemMXBean;
import io.keptlog.service.Micros;
import io.keptlog.service.system.HostProbe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the JVM and, on Linux, /proc. What a system does not tell is 0 or "unknown". Keeps nothing but the start time. */
final class LocalHostProbe implements HostProbe {
    private static final Logger LOG = LoggerFactory.getLogger(LocalHostProbe.class);
    private static final Path PROC_IO = Path.of("/proc/self/io");
    private static final Path PROC_STATUS = Path.of("/proc/self/status");
    private static final Path PROC_MEMORY = Path.of("/proc/meminfo");
    private static final Path OS_RELEASE = Path.of("/etc/os-release");
    private static final long KIB = 1024;
    private static final double PERCENT = 100;

    private final Path dataDir;
    private final InstantSource clock;
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final long startMicros = ManagementFactory.getRuntimeMXBean().getStartTime() * 1000;
    private final String hostname = hostname();
    private final String osVersion = osVersion();

    LocalHostProbe(Path dataDir, InstantSource clock) {
        this.dataDir = dataDir;
        this.clock = clock;
    }

    @Override
    public Host look() {
        long free = 0;
        long total = 0;
        try {
            FileStore store = Files.getFileStore(dataDir);
            free = store.getUsableSpace();
            total = store.getTotalSpace();
        } catch (IOException e) {
            LOG.debug("no disk space known", e);
        }
        Runtime runtime = Runtime.getRuntime();
        long resident = number(PROC_STATUS, "VmRSS:") * KIB;
        long available = number(PROC_MEMORY, "MemAvailable:") * KIB;
        Instant now = clock.instant();
        return new Host(
                ProcessHandle.current().pid(),
                percent(system.getProcessCpuLoad() * runtime.availableProcessors()),
                percent(system.getCpuLoad()),
                resident > 0 ? resident : runtime.totalMemory() - runtime.freeMemory(),
                system.getTotalMemorySize(),
                available > 0 ? available : system.getFreeMemorySize(),
                startMicros,
                Math.max(0, Micros.of(now) - startMicros),
                number(PROC_IO, "read_bytes:"),
                number(PROC_IO, "write_bytes:"),
                hostname,
                System.getProperty("os.name", "unknown"),
                osVersion,
                System.getProperty("os.version", "unknown"),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                free,
                total);
    }

    /** The JVM says a negative load when it does not know. */
    private static double percent(double load) {
        return Double.isNaN(load) ? 0 : Math.round(Math.max(0, load) * PERCENT * PERCENT) / PERCENT;
    }

    /** The first number after a key of a /proc file, 0 when there is none. */
    private static long number(Path file, String key) {
        for (String line : lines(file)) {
            if (line.startsWith(key)) {
                String digits = line.substring(key.length()).strip().split(" ", 2)[0];
                return digits.chars().allMatch(Character::isDigit) ? Long.parseLong(digits) : 0;
            }
        }
        return 0;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
        } catch (IOException e) {
            LOG.debug("{} cannot be read", file, e);
            return List.of();
        }
    }

    private static String osVersion() {
        for (String line : lines(OS_RELEASE)) {
            if (line.startsWith("PRETTY_NAME=")) {
                return line.substring("PRETTY_NAME=".length()).replace("\"", "");
            }
        }
        return System.getProperty("os.version", "unknown");
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.debug("no host name", e);
            return "unknown";
        }
    }
}
