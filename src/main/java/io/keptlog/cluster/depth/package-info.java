// SPDX-License-Identifier: Apache-2.0
/** How many copies of each entry there really are, asked from the bookies one by one, and writing again those that are missing. */
@NullMarked
package io.keptlog.cluster.depth;

import org.jspecify.annotations.NullMarked;
