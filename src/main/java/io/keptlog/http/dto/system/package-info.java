// SPDX-License-Identifier: Apache-2.0
/** JSON of statistics, clients, recovery and durability. */
@NullMarked
package io.keptlog.http.dto.system;

import org.jspecify.annotations.NullMarked;
