// SPDX-License-Identifier: Apache-2.0
/** Reading a partition from its ledgers: recent frames from memory, older ones by header offset. */
@NullMarked
package io.keptlog.cluster.ledger.read;

import org.jspecify.annotations.NullMarked;
