// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A memory control group (version 1) below this process's own one, as a container engine makes it for {@code --memory}. Owns the group:
 * {@link #close} removes it, after its processes have ended. Bytes.
 */
public final class MemoryGroup implements AutoCloseable {
    private static final Duration EMPTY_DEADLINE = Duration.ofSeconds(20);

    private final Path directory;

    private MemoryGroup(Path directory) {
        this.directory = directory;
    }

    /**
     * What the kernel has charged to the group.
     *
     * @param anonymous heaps, stacks and native memory; no page of any file
     * @param mappedFiles pages of files that are mapped by a process
     * @param cache pages of files, mapped or not: the kernel takes them back under pressure
     */
    public record Usage(long anonymous, long mappedFiles, long cache, long kernel) {
        /** What cannot be taken back. */
        public long withoutFilePages() {
            return anonymous + kernel;
        }
    }

    /** Skips the test with a reason where such a group cannot be made. */
    public static MemoryGroup make(long limitBytes) {
        assumeTrue(Shell.isRoot(), "needs root to make a memory control group");
        Optional<Path> own = own();
        assumeTrue(own.isPresent(), "needs the memory controller of control groups, version 1");
        Path directory =
                own.orElseThrow().resolve("keptlog-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            assumeTrue(false, "needs a writable memory control group: " + e);
        }
        var group = new MemoryGroup(directory);
        try {
            Files.writeString(directory.resolve("memory.limit_in_bytes"), Long.toString(limitBytes));
            return group;
        } catch (IOException e) {
            group.close();
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> own() {
        try (Stream<String> mounts = Files.lines(Path.of("/proc/mounts"));
                Stream<String> groups = Files.lines(Path.of("/proc/self/cgroup"))) {
            Optional<String> path = groups.map(line -> line.split(":", 3))
                    .filter(fields -> List.of(fields[1].split(",")).contains("memory"))
                    .map(fields -> fields[2])
                    .findFirst();
            return mounts.map(line -> line.split(" "))
                    .filter(fields -> fields[2].equals("cgroup")
                            && List.of(fields[3].split(",")).contains("memory"))
                    .flatMap(fields -> path.stream().map(own -> Path.of(fields[1] + own)))
                    .filter(Files::isDirectory)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The command as one that begins its life in the group, under the same process id. */
    public List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\""));
        all.add(directory.resolve("cgroup.procs").toString());
        all.addAll(command);
        return all;
    }

    public Usage usage() {
        try (Stream<String> lines = Files.lines(directory.resolve("memory.stat"))) {
            Map<String, Long> stat = lines.map(line -> line.split(" "))
                    .collect(Collectors.toMap(fields -> fields[0], fields -> Long.parseLong(fields[1])));
            return new Usage(
                    stat.getOrDefault("rss", 0L),
                    stat.getOrDefault("mapped_file", 0L),
                    stat.getOrDefault("cache", 0L),
                    Long.parseLong(Files.readString(directory.resolve("memory.kmem.usage_in_bytes"))
                            .strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The most that was charged at once, pages of files included. */
    public long peak() {
        return Long.parseLong(read("memory.max_usage_in_bytes").strip());
    }

    /** How often the limit was met: each time the kernel had to take back pages of files. */
    public long limitMet() {
        return Long.parseLong(read("memory.failcnt").strip());
    }

    /** Processes that were killed for want of memory. */
    public long killed() {
        return read("memory.oom_control")
                .lines()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("this kernel does not count the processes that it kills"));
    }

    private String read(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Await.until("no process is left in " + directory, EMPTY_DEADLINE, () -> {
            Files.deleteIfExists(directory);
            return true;
        });
    }
}
