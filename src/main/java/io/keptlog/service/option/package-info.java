// SPDX-License-Identifier: Apache-2.0
/** The options of topics, streams and users: their keys, bounds, canonical values and listing. */
@NullMarked
package io.keptlog.service.option;

import org.jspecify.annotations.NullMarked;
