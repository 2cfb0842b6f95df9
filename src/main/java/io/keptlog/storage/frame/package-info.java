// SPDX-License-Identifier: Apache-2.0
/** The frame: one stored batch with the header that chains it to its predecessor. Shared by the segment store and the cluster store. */
@NullMarked
package io.keptlog.storage.frame;

import org.jspecify.annotations.NullMarked;
