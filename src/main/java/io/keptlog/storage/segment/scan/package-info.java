// SPDX-License-Identifier: Apache-2.0
/** Reading and proving the frames of a segment file: for recovery, and for whoever else wants to know what is in one. Writes nothing. */
@NullMarked
package io.keptlog.storage.segment.scan;

import org.jspecify.annotations.NullMarked;
