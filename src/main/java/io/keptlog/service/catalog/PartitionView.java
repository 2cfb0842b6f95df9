// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

/**
 * A partition as clients see it.
 *
 * @param segments 0 when the log is not open
 * @param currentOffset offset of the newest visible message, 0 when there is none; never shrinks when segments are deleted
 * @param messages kept and visible
 */
public record PartitionView(
        int id, long createdAtMicros, int segments, long currentOffset, long sizeBytes, long messages) {}
