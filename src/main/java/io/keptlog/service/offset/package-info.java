// SPDX-License-Identifier: Apache-2.0
/** Consumer offsets and the numbers that consumers are known by. */
@NullMarked
package io.keptlog.service.offset;

import org.jspecify.annotations.NullMarked;
