// SPDX-License-Identifier: Apache-2.0
/** What could be seen of the disk below a data directory: whether what it calls synced can be believed. */
@NullMarked
package io.keptlog.domain.disk;

import org.jspecify.annotations.NullMarked;
