// SPDX-License-Identifier: Apache-2.0
/** Streams, topics and partitions: creating, listing, changing and deleting them, and finding their open logs. */
@NullMarked
package io.keptlog.service.catalog;

import org.jspecify.annotations.NullMarked;
