// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

/** How a wait for a sync ended. */
public enum SyncOutcome {
    SYNCED,
    /** The sync that should have covered it failed: may be stored, may be lost. */
    FAILED,
    /** Not known at the deadline. */
    TIMED_OUT
}
