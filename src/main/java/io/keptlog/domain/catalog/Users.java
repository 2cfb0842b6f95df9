// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Next versions of a user. */
final class Users {
    private Users() {}

    static UserEntry updated(UserEntry u, CatalogChange.UserUpdated change) {
        int generation = u.active() == change.active() ? u.generation() : u.generation() + 1;
        return new UserEntry(
                u.id(),
                u.createdAtMicros(),
                change.username(),
                u.passwordHash(),
                change.active(),
                generation,
                u.active() == change.active() ? u.keptSession() : null,
                u.permissions(),
                u.tokens());
    }

    static UserEntry withPassword(UserEntry u, CatalogChange.PasswordChanged change) {
        return new UserEntry(
                u.id(),
                u.createdAtMicros(),
                u.username(),
                change.passwordHash(),
                u.active(),
                u.generation() + 1,
                change.keptSession(),
                u.permissions(),
                u.tokens());
    }

    static UserEntry withPermissions(UserEntry u, @Nullable Permissions permissions) {
        return new UserEntry(
                u.id(),
                u.createdAtMicros(),
                u.username(),
                u.passwordHash(),
                u.active(),
                u.generation(),
                u.keptSession(),
                permissions,
                u.tokens());
    }

    static UserEntry withToken(UserEntry u, TokenEntry token) {
        var next = new TreeMap<>(u.tokens());
        next.put(token.name(), token);
        return withTokens(u, next);
    }

    static UserEntry withoutToken(UserEntry u, String name) {
        var next = new TreeMap<>(u.tokens());
        if (next.remove(name) == null) {
            throw new IllegalStateException("user " + u.id() + " has no such token");
        }
        return withTokens(u, next);
    }

    private static UserEntry withTokens(UserEntry u, SortedMap<String, TokenEntry> tokens) {
        return new UserEntry(
                u.id(),
                u.createdAtMicros(),
                u.username(),
                u.passwordHash(),
                u.active(),
                u.generation(),
                u.keptSession(),
                u.permissions(),
                tokens);
    }
}
