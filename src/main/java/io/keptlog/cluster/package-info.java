// SPDX-License-Identifier: Apache-2.0
/** The store of a cluster over Apache BookKeeper: the only room that knows it. Partition logs on managed ledgers, ownership, peers, catalog and offsets. */
@NullMarked
package io.keptlog.cluster;

import org.jspecify.annotations.NullMarked;
