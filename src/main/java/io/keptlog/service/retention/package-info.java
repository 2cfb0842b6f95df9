// SPDX-License-Identifier: Apache-2.0
/** Deletion of sealed segments by age, by size and on request. */
@NullMarked
package io.keptlog.service.retention;

import org.jspecify.annotations.NullMarked;
