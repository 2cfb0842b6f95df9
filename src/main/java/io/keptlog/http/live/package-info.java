// SPDX-License-Identifier: Apache-2.0
/**
 * Streams of server-sent events: a connection that its request has left behind, one parked virtual thread with a shallow stack, and a
 * cursor. The log is the only buffer: nothing is kept for a reader that does not read.
 */
@NullMarked
package io.keptlog.http.live;

import org.jspecify.annotations.NullMarked;
