// SPDX-License-Identifier: Apache-2.0
/**
 * Repair of one damaged partition, by an explicit command on a data directory that no server uses. The partition is written anew beside
 * the old one and then takes its place; the old files stay as they were, in {@code quarantine/}.
 */
@NullMarked
package io.keptlog.storage.repair;

import org.jspecify.annotations.NullMarked;
