// SPDX-License-Identifier: Apache-2.0
/** Small always-checked append journals; the file catalog, offset store and recovery reports on top of them. */
@NullMarked
package io.keptlog.storage.journal;

import org.jspecify.annotations.NullMarked;
