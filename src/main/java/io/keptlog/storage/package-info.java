// SPDX-License-Identifier: Apache-2.0
/** The interfaces of a store (log, catalog, offsets, sync) and their results. Knows nothing of who implements them. */
@NullMarked
package io.keptlog.storage;

import org.jspecify.annotations.NullMarked;
