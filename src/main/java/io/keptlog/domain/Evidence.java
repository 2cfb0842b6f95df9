// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import org.jspecify.annotations.Nullable;

/**
 * What a write has reached, proven at the moment it is reported (requirements D1).
 *
 * @param durability the level reached
 * @param copies proven copies; in a cluster the ack quorum, never the write quorum
 * @param ledgerId only in a cluster
 * @param entryId only in a cluster
 */
public record Evidence(
        Durability durability, StoredIn storedIn, int copies, @Nullable Long ledgerId, @Nullable Long entryId) {
    /** Where the bytes are. */
    public enum StoredIn {
        PAGE_CACHE,
        STABLE_STORAGE,
        ACK_QUORUM
    }

    public static final Evidence IN_PAGE_CACHE =
            new Evidence(Durability.REPLICATED, StoredIn.PAGE_CACHE, 1, null, null);
    public static final Evidence ON_STABLE_STORAGE =
            new Evidence(Durability.PERSISTED, StoredIn.STABLE_STORAGE, 1, null, null);
}
