// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.service.UserService;
import io.keptlog.storage.InMemoryCatalog;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RootUserTest {
    private final UserService users =
            new UserService(new InMemoryCatalog(), new Pbkdf2Passwords(), InstantSource.system());

    private void start(String username) {
        new RootUser(users, new RootUser.Credentials(username, "a password"), "http://127.0.0.1:3000").ensure();
    }

    @Test
    void aNameThatIsNoUserOfAnOldDirectoryIsToldInTheLog(CapturedOutput log) {
        start("first");
        start("first");
        assertThat(log).contains("made the user 'first'").doesNotContain("There is no user");
        start("second");
        assertThat(users.findByName("second")).isNull();
        assertThat(log)
                .contains("There is no user 'second'")
                .contains("KEPTLOG_DATA_DIR")
                .doesNotContain("a password");
    }
}
