// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Pbkdf2PasswordsTest {
    private final Pbkdf2Passwords passwords = new Pbkdf2Passwords();

    @Test
    void aPasswordMatchesItsOwnHashOnly() {
        String hash = passwords.hash("a word");
        assertThat(passwords.matches("a word", hash)).isTrue();
        assertThat(passwords.matches("another", hash)).isFalse();
        assertThat(passwords.hash("a word")).as("salted").isNotEqualTo(hash);
    }

    @Test
    void theDecoyLooksLikeAHashAndNothingMatchesIt() {
        String decoy = passwords.decoy();
        assertThat(decoy).hasSameSizeAs(passwords.hash("a word")).isNotEqualTo(passwords.decoy());
        long begin = System.nanoTime();
        assertThat(passwords.matches("a word", decoy)).isFalse();
        assertThat(System.nanoTime() - begin)
                .as("310,000 rounds are never done in a millisecond")
                .isGreaterThan(1_000_000);
    }
}
