// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import java.util.UUID;

/** Turns passwords into salted hashes and compares. Costly on purpose; safe for any number of threads. */
public interface PasswordHashing {
    String hash(String password);

    boolean matches(String password, String hash);

    /** A hash that no password has, and that is compared with as slowly as any other. */
    default String decoy() {
        return hash(UUID.randomUUID().toString());
    }
}
