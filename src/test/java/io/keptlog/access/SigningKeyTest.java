// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.KeptlogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SigningKeyTest {
    @TempDir
    Path data;

    @Test
    void theKeyIsMadeOnceAndReadableByItsOwnerOnly() throws IOException {
        SigningKey first = SigningKey.load(data);
        Path file = data.resolve("secret/jwt.key");
        assertThat(Files.size(file)).isEqualTo(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(SigningKey.load(data)).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(first.toString()).doesNotContain("key=");
    }

    @Test
    void whatACrashLeftBehindIsReplacedAndAFileThatIsNoKeyIsRefused() throws IOException {
        Files.createDirectories(data.resolve("secret"));
        Files.writeString(data.resolve("secret/jwt.key.tmp"), "half");
        SigningKey key = SigningKey.load(data);
        assertThat(SigningKey.load(data)).isEqualTo(key);
        Files.writeString(data.resolve("secret/jwt.key"), "short");
        assertThatThrownBy(() -> SigningKey.load(data))
                .isInstanceOf(KeptlogException.class)
                .hasMessageContaining("jwt.key");
    }
}
