// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.truth;

import io.keptlog.domain.Limits;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.Doubt;
import io.keptlog.domain.disk.Doubt.Code;
import io.keptlog.domain.disk.SyncLatency;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.NoSpaceException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at the disk below a data directory (requirements D7). Any thread, one at a time; throws nothing for what it finds. */
public final class TruthTest {
    private static final Path MOUNTINFO = Path.of("/proc/self/mountinfo");
    private static final Path BLOCK_DEVICES = Path.of("/sys/dev/block");
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    private static final Set<String> CONTAINER_LAYERS = Set.of("overlay", "aufs");
    private static final Set<String> REMOTE =
            Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "glusterfs", "afs", "lustre");
    private static final Set<String> BARRIERS_OFF = Set.of("nobarrier", "barrier=0");
    private static final long NANOS_PER_MICRO = 1_000;

    private final FileLayer files;
    private final Path directory;
    private final InstantSource clock;

    public TruthTest(FileLayer files, Path directory, InstantSource clock) {
        this.files = files;
        this.directory = directory;
        this.clock = clock;
    }

    public DiskTruth run() {
        long started = System.nanoTime();
        List<Doubt> doubts = new ArrayList<>();
        Mount mount = mount();
        String fileSystem = mount != null ? mount.fileSystem() : fileStoreType();
        aboutFileSystem(fileSystem, mount, doubts);
        SyncLatency sync = probe(doubts);
        boolean directorySync = directorySync(doubts);
        long free = free(doubts);
        doubts.sort(Comparator.comparing(Doubt::code));
        return new DiskTruth(
                clock.instant(),
                (System.nanoTime() - started) / NANOS_PER_MICRO,
                fileSystem,
                mount == null ? null : writeCache(mount.device()),
                sync,
                directorySync,
                free,
                doubts);
    }

    private @Nullable Mount mount() {
        if (!Files.isReadable(MOUNTINFO)) {
            return null;
        }
        try {
            return Mount.of(directory.toRealPath().toString(), Files.readAllLines(MOUNTINFO));
        } catch (IOException e) {
            return null; // Another way to ask is left.
        }
    }

    private String fileStoreType() {
        try {
            FileStore store = Files.getFileStore(directory);
            return store.type();
        } catch (IOException e) {
            return "unknown";
        }
    }

    static void aboutFileSystem(String type, @Nullable Mount mount, List<Doubt> doubts) {
        if (IN_MEMORY.contains(type)) {
            doubts.add(new Doubt(
                    Code.VOLATILE_FILE_SYSTEM,
                    "The data directory is on " + type + ": everything is gone with the machine's power."));
        } else if (CONTAINER_LAYERS.contains(type)) {
            doubts.add(new Doubt(
                    Code.CONTAINER_LAYER,
                    "The data directory is on " + type
                            + ", the writable layer of a container: everything is gone with the"
                            + " container. Put it on a volume."));
        } else if (REMOTE.contains(type) || type.startsWith("fuse")) {
            doubts.add(new Doubt(
                    Code.REMOTE_FILE_SYSTEM,
                    "The data directory is on " + type
                            + ": what a sync means is decided elsewhere, and cannot be seen here."));
        }
        if (mount != null && mount.options().stream().anyMatch(BARRIERS_OFF::contains)) {
            doubts.add(
                    new Doubt(
                            Code.BARRIERS_OFF,
                            "The file system is mounted without barriers: the device is not asked to empty its cache at a sync."));
        }
    }

    private @Nullable SyncLatency probe(List<Doubt> doubts) {
        try {
            SyncLatency sync = SyncProbe.run(files, directory);
            aboutSync(sync, doubts);
            return sync;
        } catch (NoSpaceException e) {
            doubts.add(new Doubt(Code.NOT_TRIED, "The disk is full: syncs could not be tried."));
        } catch (IOException e) {
            doubts.add(new Doubt(Code.NOT_TRIED, "Syncs could not be tried: " + e.getMessage()));
        }
        return null;
    }

    static void aboutSync(SyncLatency sync, List<Doubt> doubts) {
        if (sync.p50Nanos() < Limits.SYNC_TOO_FAST_MICROS * NANOS_PER_MICRO) {
            doubts.add(new Doubt(
                    Code.SYNC_TOO_FAST,
                    "A write and its sync take " + sync.p50Nanos() / NANOS_PER_MICRO
                            + " µs: faster than any device that keeps"
                            + " them without power. Something on the way answers before it is done."));
        }
        long slowNanos = Limits.SLOW_SYNC_MILLIS * NANOS_PER_MICRO * NANOS_PER_MICRO;
        if (sync.p50Nanos() > slowNanos) {
            doubts.add(new Doubt(
                    Code.SYNC_SLOW,
                    "A write and its sync take " + sync.p50Nanos() / NANOS_PER_MICRO / NANOS_PER_MICRO
                            + " ms, and so does each acknowledgement of a persisted topic."));
        }
    }

    /** Whether the system has such a call at all; an error of the call itself is one that recovery and the store meet as well. */
    private boolean directorySync(List<Doubt> doubts) {
        boolean supported = files.syncsDirectories();
        if (!supported) {
            doubts.add(
                    new Doubt(
                            Code.NO_DIRECTORY_SYNC,
                            "This system cannot make the names of new files durable: a power cut may take a file that was just made."));
            return false;
        }
        try {
            files.syncDirectory(directory);
            return true;
        } catch (IOException e) {
            doubts.add(new Doubt(Code.NO_DIRECTORY_SYNC, "The directory could not be synced: " + e.getMessage()));
            return false;
        }
    }

    private long free(List<Doubt> doubts) {
        try {
            long free = files.usableBytes(directory);
            if (free < Limits.LITTLE_SPACE_BYTES) {
                doubts.add(new Doubt(
                        Code.LITTLE_SPACE,
                        "The disk has " + (free >> 20) + " MiB left: writes will be refused when it is full."));
            }
            return free;
        } catch (IOException e) {
            return -1;
        }
    }

    /** "write back" or "write through"; of a partition, its disk says it. */
    private static @Nullable String writeCache(String device) {
        for (String queue : List.of("queue", "../queue")) {
            Path file = BLOCK_DEVICES.resolve(device).resolve(queue).resolve("write_cache");
            try {
                if (Files.isReadable(file)) {
                    return Files.readString(file).strip();
                }
            } catch (IOException e) {
                return null; // It is only shown.
            }
        }
        return null;
    }
}
