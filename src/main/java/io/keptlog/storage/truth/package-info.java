// SPDX-License-Identifier: Apache-2.0
/** The truth test: whether the disk below a data directory can be believed when it says that something is synced. */
@NullMarked
package io.keptlog.storage.truth;

import org.jspecify.annotations.NullMarked;
