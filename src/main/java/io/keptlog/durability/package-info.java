// SPDX-License-Identifier: Apache-2.0
/** One strategy bean per durability level; decides how long a produce or an offset store waits before it is a success. */
@NullMarked
package io.keptlog.durability;

import org.jspecify.annotations.NullMarked;
