// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

/** Looks at the machine and the process. Safe for any number of threads; takes a few milliseconds at most. */
@FunctionalInterface
public interface HostProbe {
    Host look();

    /**
     * One look. Sizes in bytes; CPU in percent, the process's of all cores together; what the system does not tell is 0 or "unknown".
     *
     * @param memoryBytes of the process
     * @param readBytes from disk by the process
     * @param writtenBytes to disk by the process
     */
    record Host(
            long processId,
            double cpuPercent,
            double totalCpuPercent,
            long memoryBytes,
            long totalMemoryBytes,
            long availableMemoryBytes,
            long startTimeMicros,
            long runTimeMicros,
            long readBytes,
            long writtenBytes,
            String hostname,
            String osName,
            String osVersion,
            String kernelVersion,
            int threads,
            long freeDiskBytes,
            long totalDiskBytes) {}
}
