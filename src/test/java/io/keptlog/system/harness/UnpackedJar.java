// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jar as the container image has it: unpacked, with a cache of what a start loads. Servers of system tests start from it in half the
 * time. Made once for each jar, beside it.
 */
public final class UnpackedJar {
    private static @Nullable UnpackedJar made;

    private final Path jar;
    private final Path cache;

    private UnpackedJar(Path jar, Path cache) {
        this.jar = jar;
        this.cache = cache;
    }

    /**
     * @param jvm the settings that servers will have: a cache fits those it was made with
     */
    static synchronized UnpackedJar of(Path packed, List<String> jvm) {
        UnpackedJar unpacked = made;
        if (unpacked == null) {
            unpacked = make(packed, jvm, packed.resolveSibling("system-tests"));
            made = unpacked;
        }
        return unpacked;
    }

    /** What comes after the JVM's settings and before the server's arguments. */
    List<String> command() {
        return List.of("-XX:AOTCache=" + cache, "-jar", jar.toString());
    }

    /**
     * Made in this directory, as {@code Dockerfile} makes it in {@code /app}.
     *
     * @param jvm the settings that the cache is made with
     */
    public static UnpackedJar make(Path packed, List<String> jvm, Path directory) {
        try {
            var unpacked = new UnpackedJar(directory.resolve(packed.getFileName()), directory.resolve("keptlog.aot"));
            boolean fresh = Files.exists(unpacked.cache)
                    && Files.getLastModifiedTime(unpacked.cache).compareTo(Files.getLastModifiedTime(packed)) > 0;
            if (!fresh) {
                Files.createDirectories(directory);
                Files.deleteIfExists(unpacked.cache);
                String java = "'" + ServerProcess.java() + "' " + String.join(" ", jvm);
                Path data = Files.createTempDirectory("keptlog-training-");
                run(java + " -Djarmode=tools -jar '" + packed + "' extract --force --destination '" + directory + "'");
                String training = java + " -XX:AOTCacheOutput='" + unpacked.cache
                        + "' -Dspring.context.exit=onRefresh -jar '" + unpacked.jar
                        + "' --server.port=0 --keptlog.data-dir='" + data + "'";
                Shell.Outcome trained = Shell.tryRun("bash", "-c", training);
                run("rm -rf '" + data + "'");
                // On a starved machine the stop may take too long and say so by its exit code: the cache is good all
                // the same.
                if (!Files.exists(unpacked.cache)) {
                    throw new IllegalStateException(training + " made no cache: " + trained.output());
                }
            }
            return unpacked;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String command) {
        Shell.Outcome outcome = Shell.tryRun("bash", "-c", command);
        if (outcome.exitCode() != 0) {
            throw new IllegalStateException(command + " failed: " + outcome.output());
        }
    }
}
