// SPDX-License-Identifier: Apache-2.0
/** Configuration properties, their relations checked at boot, and the wiring of all rooms. */
@NullMarked
package io.keptlog.config;

import org.jspecify.annotations.NullMarked;
