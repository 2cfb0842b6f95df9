// SPDX-License-Identifier: Apache-2.0
/** Broker to broker: a request for a partition goes to its owner, at most one hop, over framed binary messages on an authenticated connection. */
@NullMarked
package io.keptlog.cluster.peer;

import org.jspecify.annotations.NullMarked;
