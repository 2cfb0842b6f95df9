// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A small ext4 of its own on a loop device, mounted below a temporary directory, whose power can be cut. Needs root; {@link #close}
 * unmounts and deletes it. What a killed test left mounted is unmounted by the next one: beside the image lies the number of the process
 * that made it.
 */
public final class LoopDisk implements AutoCloseable {
    private final Path image;
    private final Path mountPoint;

    private LoopDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /** Skips the test with a reason where a loop device cannot be had. */
    public static LoopDisk make(Path directory, int sizeMegabytes) {
        assumeTrue(Shell.isRoot(), "needs root to mount a loop device");
        assumeTrue(Shell.has("mkfs.ext4"), "needs mkfs.ext4 (package e2fsprogs)");
        unmountAbandoned();
        Path image = directory.resolve("disk.img");
        Path mountPoint = directory.resolve("disk");
        try {
            Files.createDirectories(mountPoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.run("truncate", "-s", sizeMegabytes + "M", image.toString());
        Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", image.toString());
        write(owner(mountPoint), Long.toString(ProcessHandle.current().pid()));
        Shell.Outcome mounted = Shell.tryRun("mount", "-o", "loop", image.toString(), mountPoint.toString());
        assumeTrue(mounted.exitCode() == 0, "needs a loop device: " + mounted.output());
        return new LoopDisk(image, mountPoint);
    }

    private static Path owner(Path mountPoint) {
        return mountPoint.resolveSibling(mountPoint.getFileName() + ".owner");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unmountAbandoned() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/mounts"))) {
                String[] fields = line.split(" ");
                Path owner = owner(Path.of(fields[1], "x").getParent());
                if (!fields[0].startsWith("/dev/loop") || !Files.exists(owner)) {
                    continue;
                }
                long pid = Long.parseLong(Files.readString(owner).strip());
                if (ProcessHandle.of(pid).isEmpty()) {
                    Shell.tryRun("umount", "-l", fields[1]);
                    Files.delete(owner);
                    Files.deleteIfExists(Path.of(fields[1] + ".img"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The power goes: from now on nothing more reaches the disk, neither pages nor the file system's journal. What uses it must be killed
     * before {@link #restorePower}.
     */
    public void cutPower() {
        // FS_IOC_SHUTDOWN of linux/fs.h, without a flush of the log.
        Shell.run(
                "python3",
                "-c",
                "import fcntl, os, struct, sys\n"
                        + "assert os.path.ismount(sys.argv[1])\n"
                        + "fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))",
                mountPoint.toString());
    }

    /** Mounts what had reached the disk. */
    public void restorePower() {
        unmount();
        Shell.run("mount", "-o", "loop", image.toString(), mountPoint.toString());
    }

    public Path mountPoint() {
        return mountPoint;
    }

    /** A file that takes all the space that is left. Deleting it gives the space back. */
    public Path fill() {
        Path filler = mountPoint.resolve("filler-" + System.nanoTime());
        byte[] block = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(filler)) {
            for (int size = block.length; size > 0; ) {
                try {
                    out.write(block, 0, size);
                    out.flush();
                } catch (IOException full) {
                    size /= 2;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return filler;
    }

    private void unmount() {
        // A process that has just been killed may hold the mount for a moment.
        Await.until("unmounted " + mountPoint, Duration.ofSeconds(20), () -> {
            return Shell.tryRun("umount", mountPoint.toString()).exitCode() == 0;
        });
    }

    @Override
    public void close() {
        unmount();
        try {
            Files.deleteIfExists(owner(mountPoint));
            Files.deleteIfExists(image);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
