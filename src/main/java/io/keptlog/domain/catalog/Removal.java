// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import io.keptlog.domain.PartitionRef;

/** A tombstone: this life of a partition is deleted, its files may not be gone yet. */
public record Removal(PartitionRef ref, long incarnation) {}
