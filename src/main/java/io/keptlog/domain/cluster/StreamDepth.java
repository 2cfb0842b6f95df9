// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

/**
 * The copies of those partitions of a stream that the answering broker owns, as it saw them last.
 *
 * @param unaudited messages that were not looked at yet
 */
public record StreamDepth(int streamId, DepthCounts counts, long unaudited) {
    public StreamDepth plus(StreamDepth other) {
        if (other.streamId != streamId) {
            throw new IllegalArgumentException("streams " + streamId + " and " + other.streamId);
        }
        return new StreamDepth(streamId, counts.plus(other.counts), unaudited + other.unaudited);
    }
}
