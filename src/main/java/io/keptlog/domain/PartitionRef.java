// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/** Where a partition is: numeric ids, each 0-based and assigned by the server. */
public record PartitionRef(int streamId, int topicId, int partitionId) {
    public PartitionRef {
        if (streamId < 0 || topicId < 0 || partitionId < 0) {
            throw new IllegalArgumentException("negative id: " + streamId + "/" + topicId + "/" + partitionId);
        }
    }

    @Override
    public String toString() {
        return streamId + "/" + topicId + "/" + partitionId;
    }
}
