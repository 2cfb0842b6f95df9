// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.nio.charset.StandardCharsets;

/** What user names, passwords and token names must look like (Iggy HTTP API §2); lengths in UTF-8 bytes. */
final class UserRules {
    private UserRules() {}

    static void requireUsername(String username) {
        requireName(
                username,
                Limits.USERNAME_MIN_BYTES,
                Limits.USERNAME_MAX_BYTES,
                ErrorCode.INVALID_USERNAME,
                "A user name",
                "username");
    }

    /** A password may hold any character. */
    static void requirePassword(String password, String field) {
        int length = password.getBytes(StandardCharsets.UTF_8).length;
        if (length < Limits.PASSWORD_MIN_BYTES || length > Limits.PASSWORD_MAX_BYTES) {
            throw new KeptlogException(
                    ErrorCode.INVALID_PASSWORD,
                    "A password has " + Limits.PASSWORD_MIN_BYTES + " to " + Limits.PASSWORD_MAX_BYTES
                            + " bytes, this one has " + length + ".",
                    field);
        }
    }

    static void requireTokenName(String name) {
        requireName(
                name,
                Limits.TOKEN_NAME_MIN_BYTES,
                Limits.TOKEN_NAME_MAX_BYTES,
                ErrorCode.INVALID_PERSONAL_ACCESS_TOKEN_NAME,
                "A token name",
                "name");
    }

    private static void requireName(
            String name, int minBytes, int maxBytes, ErrorCode code, String what, String field) {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < minBytes || length > maxBytes) {
            throw new KeptlogException(
                    code,
                    what + " has " + minBytes + " to " + maxBytes + " bytes, this one has " + length + ".",
                    field);
        }
        if (name.codePoints().anyMatch(Character::isISOControl)) {
            throw new KeptlogException(code, what + " holds no control characters.", field);
        }
    }
}
