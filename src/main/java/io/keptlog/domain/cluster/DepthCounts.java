// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

/**
 * Messages by how many copies of them were found. An entry that no bookie has a good copy of counts as one message at least.
 *
 * @param messages whose copies were asked for
 * @param belowWriteQuorum of these, those with fewer than Qw copies: the three that follow are among them
 * @param atAckQuorum those with exactly as many copies as were acknowledged
 * @param belowAckQuorum those of which fewer copies are proven now, because bookies do not answer
 * @param lost those without a good copy, though all bookies have answered
 */
public record DepthCounts(long messages, long belowWriteQuorum, long atAckQuorum, long belowAckQuorum, long lost) {
    public static final DepthCounts NONE = new DepthCounts(0, 0, 0, 0, 0);

    public static DepthCounts of(DepthRange range) {
        DepthRange.Depth depth = range.depth();
        long messages = Math.max(range.messages(), range.lastEntry() - range.firstEntry() + 1);
        return switch (depth) {
            case FULL -> full(range.messages());
            case BELOW_WRITE_QUORUM -> new DepthCounts(messages, messages, 0, 0, 0);
            case AT_ACK_QUORUM -> new DepthCounts(messages, messages, messages, 0, 0);
            case BELOW_ACK_QUORUM -> new DepthCounts(messages, messages, 0, messages, 0);
            case LOST -> new DepthCounts(messages, messages, 0, 0, messages);
        };
    }

    public static DepthCounts full(long messages) {
        return new DepthCounts(messages, 0, 0, 0, 0);
    }

    public DepthCounts plus(DepthCounts other) {
        return new DepthCounts(
                messages + other.messages,
                belowWriteQuorum + other.belowWriteQuorum,
                atAckQuorum + other.atAckQuorum,
                belowAckQuorum + other.belowAckQuorum,
                lost + other.lost);
    }
}
