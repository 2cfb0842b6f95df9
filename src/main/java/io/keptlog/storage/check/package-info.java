// SPDX-License-Identifier: Apache-2.0
/** Verification of a whole data directory, of a stopped server or a running one. Reads only. */
@NullMarked
package io.keptlog.storage.check;

import org.jspecify.annotations.NullMarked;
