// SPDX-License-Identifier: Apache-2.0
/** Readers that wait for what is appended next: how many there may be, how they wait, how they end. */
@NullMarked
package io.keptlog.service.live;

import org.jspecify.annotations.NullMarked;
