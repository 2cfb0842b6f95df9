// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * Whose offset it is.
 *
 * @param id u32 in an int; a name hashes to it with XXH32, seed 0 (Iggy HTTP API §4)
 */
public record ConsumerKey(Kind kind, int id) {
    /** A lone consumer or a consumer group; their numbers do not collide. */
    public enum Kind {
        CONSUMER,
        CONSUMER_GROUP
    }
}
