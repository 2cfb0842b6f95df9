// SPDX-License-Identifier: Apache-2.0
/** Who is calling: users, passwords, tokens, permissions and the Spring Security set-up. */
@NullMarked
package io.keptlog.access;

import org.jspecify.annotations.NullMarked;
