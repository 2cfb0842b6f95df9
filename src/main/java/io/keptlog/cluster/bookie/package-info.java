// SPDX-License-Identifier: Apache-2.0
/** What bookies say of themselves, and what this broker sees of them. */
@NullMarked
package io.keptlog.cluster.bookie;

import org.jspecify.annotations.NullMarked;
