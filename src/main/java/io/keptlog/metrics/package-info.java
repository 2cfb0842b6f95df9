// SPDX-License-Identifier: Apache-2.0
/** Every meter's name, tag and unit, as typed methods. */
@NullMarked
package io.keptlog.metrics;

import org.jspecify.annotations.NullMarked;
