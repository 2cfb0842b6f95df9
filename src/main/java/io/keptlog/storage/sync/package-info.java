// SPDX-License-Identifier: Apache-2.0
/**
 * Group commit: each log has one owner that syncs it, one sync at a time, on threads that nobody else can interrupt. Everyone whose bytes
 * were appended when a sync began is released by it.
 */
@NullMarked
package io.keptlog.storage.sync;

import org.jspecify.annotations.NullMarked;
