// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/** Up to where a poll may read. */
public enum Visibility {
    /** What the topic's own policy allows: appended on a replicated topic, synced on a persisted one. */
    TOPIC,
    /** Only what a power cut can no longer take back. */
    PERSISTED
}
