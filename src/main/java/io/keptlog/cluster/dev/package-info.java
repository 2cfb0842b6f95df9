// SPDX-License-Identifier: Apache-2.0
/** ZooKeeper and bookies for one machine: what dev-cluster and the tests start. Not for production. */
@NullMarked
package io.keptlog.cluster.dev;

import org.jspecify.annotations.NullMarked;
