// SPDX-License-Identifier: Apache-2.0
/** What the server is and how it is doing: statistics, clients, and the state of its durability. */
@NullMarked
package io.keptlog.service.system;

import org.jspecify.annotations.NullMarked;
