// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

/**
 * A segment that takes no more messages, as retention sees it.
 *
 * @param endOffset exclusive
 * @param sizeBytes frames in the segment, without space that is only allocated
 * @param newestAppendMicros append time of its last frame, microseconds since the epoch; never a client's time
 */
public record SealedSegment(long baseOffset, long endOffset, long sizeBytes, long newestAppendMicros) {}
