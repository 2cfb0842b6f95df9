// SPDX-License-Identifier: Apache-2.0
/** A broker's connection to the bookies, with waits that end, and what can be said of ledgers and bookies. */
@NullMarked
package io.keptlog.cluster.client;

import org.jspecify.annotations.NullMarked;
