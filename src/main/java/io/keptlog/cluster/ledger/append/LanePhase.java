// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

/** What a lane takes. */
public enum LanePhase {
    OPEN,
    /** Answers are outstanding after a failure. */
    DRAINING,
    /** All answers have come; waits until a ledger can be made. */
    STALLED,
    /** Another broker has the partition, or the library has lost its thread: only a new opening helps. */
    FENCED,
    CLOSED
}
