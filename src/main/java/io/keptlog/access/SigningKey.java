// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that signs JWTs: 256 random bits in {@code secret/jwt.key}, the one secret that is kept in clear, readable by the owner only.
 * Made at the first start and on stable storage before it is used, so that tokens outlive restarts. Deleting the file with the server
 * stopped ends every session.
 */
public record SigningKey(SecretKey key) {
    private static final int KEY_BYTES = 32;
    private static final String FILE_MODE = "rw-------";
    private static final String DIRECTORY_MODE = "rwx------";

    /**
     * Reads or makes the key.
     *
     * @throws UncheckedIOException when the directory cannot be used
     * @throws KeptlogException INVALID_CONFIGURATION when the file is not a key
     */
    public static SigningKey load(Path dataDirectory) {
        Path directory = dataDirectory.resolve("secret");
        Path file = directory.resolve("jwt.key");
        try {
            if (!Files.exists(file)) {
                make(dataDirectory, directory, file);
            }
            if (isPosix(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE_MODE));
            }
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length != KEY_BYTES) {
                throw new KeptlogException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "The signing key secret/jwt.key has " + bytes.length + " bytes instead of " + KEY_BYTES
                                + ": delete it to have a new one made (all sessions end).");
            }
            return new SigningKey(new SecretKeySpec(bytes, "HmacSHA256"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void make(Path dataDirectory, Path directory, Path file) throws IOException {
        Files.createDirectories(directory, mode(dataDirectory, DIRECTORY_MODE));
        Path temporary = directory.resolve("jwt.key.tmp");
        Files.deleteIfExists(temporary);
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        try (FileChannel channel = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                mode(dataDirectory, FILE_MODE))) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        sync(dataDirectory);
    }

    private static FileAttribute<?>[] mode(Path place, String mode) {
        return isPosix(place)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    /** Windows cannot open a directory, and keeps names by itself. */
    private static void sync(Path directory) throws IOException {
        if (isPosix(directory)) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static boolean isPosix(Path place) {
        return place.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    @Override
    public String toString() {
        return "SigningKey";
    }
}
