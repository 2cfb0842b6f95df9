// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.util.ArrayList;
import java.util.List;

/**
 * How many bookies a partition's entries go to (requirements B1): a ledger is striped over an ensemble of E, each entry is written to Qw
 * of them and acknowledged when Qa have it on stable storage. E ≥ Qw ≥ Qa ≥ 1.
 */
public record QuorumPolicy(int ensembleSize, int writeQuorum, int ackQuorum) {
    public static final QuorumPolicy DEFAULT = new QuorumPolicy(2, 2, 2);

    public QuorumPolicy {
        if (!holds(ensembleSize, writeQuorum, ackQuorum)) {
            throw new IllegalArgumentException(
                    "not E >= Qw >= Qa >= 1: " + ensembleSize + "/" + writeQuorum + "/" + ackQuorum);
        }
    }

    /** Whether the three numbers are a policy. */
    public static boolean holds(int ensembleSize, int writeQuorum, int ackQuorum) {
        return ensembleSize >= writeQuorum && writeQuorum >= ackQuorum && ackQuorum >= 1;
    }

    /** What an allowed policy costs (requirements B7). */
    public enum Warning {
        ACK_QUORUM_ONE(
                "One bookie's copy is enough for an acknowledgement: the loss of that bookie loses it, and may block recovery."),
        ENSEMBLE_ABOVE_WRITE_QUORUM(
                "A ledger needs all E bookies to be created; catch-up reads ask more bookies, and reads do not stay with one."),
        ACK_BELOW_WRITE_QUORUM(
                "Entries may stay at Qa copies, and memory grows with what the slowest bookies have not answered yet.");

        private final String text;

        Warning(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** In snake case, for headers and JSON. */
        public String code() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    public List<Warning> warnings() {
        var found = new ArrayList<Warning>();
        if (ackQuorum == 1) {
            found.add(Warning.ACK_QUORUM_ONE);
        }
        if (ensembleSize > writeQuorum) {
            found.add(Warning.ENSEMBLE_ABOVE_WRITE_QUORUM);
        }
        if (ackQuorum < writeQuorum) {
            found.add(Warning.ACK_BELOW_WRITE_QUORUM);
        }
        return List.copyOf(found);
    }

    /** The bookies of an ensemble that entry {@code entryId} goes to: Qw of them from {@code entryId mod E} on (requirements B3). */
    public List<Integer> writeSet(long entryId) {
        var set = new ArrayList<Integer>(writeQuorum);
        for (int i = 0; i < writeQuorum; i++) {
            set.add((int) ((entryId + i) % ensembleSize));
        }
        return List.copyOf(set);
    }

    @Override
    public String toString() {
        return ensembleSize + "/" + writeQuorum + "/" + ackQuorum;
    }
}
