// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A user. Root is id 0.
 *
 * @param passwordHash encoded by the password encoder, never the password
 * @param generation grows with each change of password or status: a session made under an older one has ended
 * @param keptSession JWT id of the one session that outlived the last change of generation: it made the change; null = none
 * @param permissions null = none were given
 */
public record UserEntry(
        int id,
        long createdAtMicros,
        String username,
        String passwordHash,
        boolean active,
        int generation,
        @Nullable String keptSession,
        @Nullable Permissions permissions,
        SortedMap<String, TokenEntry> tokens) {
    public static final int ROOT_ID = 0;

    public UserEntry {
        tokens = Collections.unmodifiableSortedMap(new TreeMap<>(tokens));
    }

    public boolean isRoot() {
        return id == ROOT_ID;
    }

    @Override
    public String toString() {
        return "UserEntry[" + id + " " + username + "]";
    }
}
