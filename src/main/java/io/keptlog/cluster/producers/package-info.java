// SPDX-License-Identifier: Apache-2.0
/** Copies of what partitions remember of idempotent producers, one small ledger each, beside the partitions' own. */
@NullMarked
package io.keptlog.cluster.producers;

import org.jspecify.annotations.NullMarked;
