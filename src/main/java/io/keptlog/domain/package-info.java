// SPDX-License-Identifier: Apache-2.0
/** Plain records and enums that every room speaks. Each constructor checks its limits; knows no Spring, JSON or files. */
@NullMarked
package io.keptlog.domain;

import org.jspecify.annotations.NullMarked;
