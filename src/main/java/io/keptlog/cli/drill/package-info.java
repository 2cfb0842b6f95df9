// SPDX-License-Identifier: Apache-2.0
/** The drill: a server on the user's own disk is killed while it takes messages, and every acknowledgement is checked. */
@NullMarked
package io.keptlog.cli.drill;

import org.jspecify.annotations.NullMarked;
