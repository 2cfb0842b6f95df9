// SPDX-License-Identifier: Apache-2.0
/** What /actuator/health tells (requirements A13). */
@NullMarked
package io.keptlog.http.health;

import org.jspecify.annotations.NullMarked;
