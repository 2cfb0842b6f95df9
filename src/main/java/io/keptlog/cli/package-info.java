// SPDX-License-Identifier: Apache-2.0
/** Commands of the same jar. */
@NullMarked
package io.keptlog.cli;

import org.jspecify.annotations.NullMarked;
