// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

/** An entry of a ledger; the order is the partition's. */
public record EntryPlace(long ledgerId, long entryId) implements Comparable<EntryPlace> {
    public static final EntryPlace FIRST = new EntryPlace(0, 0);

    public EntryPlace {
        if (ledgerId < 0 || entryId < 0) {
            throw new IllegalArgumentException("entry " + entryId + " of ledger " + ledgerId);
        }
    }

    @Override
    public int compareTo(EntryPlace other) {
        int byLedger = Long.compare(ledgerId, other.ledgerId);
        return byLedger != 0 ? byLedger : Long.compare(entryId, other.entryId);
    }
}
