// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

/** Turns passwords into salted hashes and compares. Costly on purpose; safe for any number of threads. */
public interface PasswordHashing {
    String hash(String password);

    boolean matches(String password, String hash);
}
