// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A small ext4 of its own on a loop device, mounted below a temporary directory. Needs root; {@link #close} unmounts and deletes it. */
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
        Path image = directory.resolve("disk.img");
        Path mountPoint = directory.resolve("disk");
        try {
            Files.createDirectories(mountPoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.run("truncate", "-s", sizeMegabytes + "M", image.toString());
        Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", image.toString());
        Shell.Outcome mounted = Shell.tryRun("mount", "-o", "loop", image.toString(), mountPoint.toString());
        assumeTrue(mounted.exitCode() == 0, "needs a loop device: " + mounted.output());
        return new LoopDisk(image, mountPoint);
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

    @Override
    public void close() {
        // A process that has just been killed may hold the mount for a moment.
        Await.until("unmounted " + mountPoint, Duration.ofSeconds(20), () -> {
            return Shell.tryRun("umount", mountPoint.toString()).exitCode() == 0;
        });
        try {
            Files.deleteIfExists(image);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
