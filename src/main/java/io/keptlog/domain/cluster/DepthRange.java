// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import io.keptlog.domain.QuorumPolicy;
import java.util.Map;

/**
 * Consecutive entries whose copies are in the same state.
 *
 * @param fromOffset first message
 * @param toOffset exclusive; as large as {@code fromOffset} when no copy says how many messages there are
 * @param firstEntry and {@code lastEntry}: inclusive
 * @param policy of their ledger
 * @param open whether their ledger still takes entries
 * @param present copies of each entry that were read and whose digest fits
 * @param lacking bookies of their write sets that do not have a good copy of all of them, with the worst that was found
 */
public record DepthRange(
        long fromOffset,
        long toOffset,
        long ledgerId,
        long firstEntry,
        long lastEntry,
        QuorumPolicy policy,
        boolean open,
        int present,
        int absent,
        int unreachable,
        int corrupt,
        Map<String, CopyState> lacking) {
    /** How deep the range lies. */
    public enum Depth {
        FULL,
        /** Fewer copies than Qw are proven, more than Qa. */
        BELOW_WRITE_QUORUM,
        /** As many copies as were acknowledged, fewer than Qw. */
        AT_ACK_QUORUM,
        /** Fewer copies are proven than were acknowledged. */
        BELOW_ACK_QUORUM,
        /** No bookie has a good copy, and all have answered. */
        LOST
    }

    public Depth depth() {
        if (present >= policy.writeQuorum()) {
            return Depth.FULL;
        }
        if (present == 0 && unreachable == 0) {
            return Depth.LOST;
        }
        return present > policy.ackQuorum()
                ? Depth.BELOW_WRITE_QUORUM
                : present == policy.ackQuorum() ? Depth.AT_ACK_QUORUM : Depth.BELOW_ACK_QUORUM;
    }

    public long messages() {
        return toOffset - fromOffset;
    }
}
