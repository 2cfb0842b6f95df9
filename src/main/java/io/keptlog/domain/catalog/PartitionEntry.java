// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

/** One life of a partition number; times in microseconds since the epoch. */
public record PartitionEntry(int id, long createdAtMicros, long incarnation) {}
