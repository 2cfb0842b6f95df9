// SPDX-License-Identifier: Apache-2.0
/** One partition's log on a managed ledger: an entry is one frame, offsets are stamped by the owner in submit order. */
@NullMarked
package io.keptlog.cluster.ledger;

import org.jspecify.annotations.NullMarked;
