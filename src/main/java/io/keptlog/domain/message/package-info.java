// SPDX-License-Identifier: Apache-2.0
/** Messages in their stored form: the record layout, the builder that produce writes into, and the slices that polls read from. */
@NullMarked
package io.keptlog.domain.message;

import org.jspecify.annotations.NullMarked;
