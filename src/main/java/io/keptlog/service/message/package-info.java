// SPDX-License-Identifier: Apache-2.0
/** Produce, poll, the barrier, and what explains their durability. */
@NullMarked
package io.keptlog.service.message;

import org.jspecify.annotations.NullMarked;
