// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * One life of a partition: its place, the random number that tells this life from every other life of the same place, and how its log
 * behaves. Stored offsets and producer state belong to the incarnation.
 */
public record PartitionSpec(PartitionRef ref, long incarnation, LogOptions options) {}
