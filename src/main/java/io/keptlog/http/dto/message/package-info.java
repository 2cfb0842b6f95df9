// SPDX-License-Identifier: Apache-2.0
/** JSON of produce, poll and consumer offsets; the hot path writes and reads its own, these records document it. */
@NullMarked
package io.keptlog.http.dto.message;

import org.jspecify.annotations.NullMarked;
