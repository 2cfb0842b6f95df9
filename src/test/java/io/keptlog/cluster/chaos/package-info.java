// SPDX-License-Identifier: Apache-2.0
/**
 * Seeded histories of a cluster of real processes: clients that remember every answer, an adversary that kills, freezes, cuts off and
 * loses bookies and brokers, and a checker of what may and what may not be read afterwards. A seed repeats the choices, not the timing.
 */
@NullMarked
package io.keptlog.cluster.chaos;

import org.jspecify.annotations.NullMarked;
