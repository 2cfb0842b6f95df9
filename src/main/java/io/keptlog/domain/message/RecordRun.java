// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import java.lang.foreign.MemorySegment;

/**
 * Consecutive records of one frame, checked when they were read.
 *
 * @param records begins at the first record of the run and ends after its last
 * @param firstOffset offset of the first record
 * @param appendTimeMicros microseconds since the epoch, the same for every message of the frame
 * @param epoch boot number of the server that wrote the frame
 */
public record RecordRun(MemorySegment records, long firstOffset, int count, long appendTimeMicros, long epoch) {}
