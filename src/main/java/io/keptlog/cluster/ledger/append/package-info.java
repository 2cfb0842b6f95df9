// SPDX-License-Identifier: Apache-2.0
/** The append side of a partition in its owner's hands: order, budget, producers. */
@NullMarked
package io.keptlog.cluster.ledger.append;

import org.jspecify.annotations.NullMarked;
