// SPDX-License-Identifier: Apache-2.0
/** Consumer offsets of one partition on a ledger of their own, rewritten as a snapshot at each roll. */
@NullMarked
package io.keptlog.cluster.offsets;

import org.jspecify.annotations.NullMarked;
