// SPDX-License-Identifier: Apache-2.0
/** What can be seen of a cluster: its brokers, its bookies, and which ledgers hold a partition. */
@NullMarked
package io.keptlog.domain.cluster;

import org.jspecify.annotations.NullMarked;
