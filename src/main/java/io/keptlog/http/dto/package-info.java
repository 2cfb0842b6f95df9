// SPDX-License-Identifier: Apache-2.0
/** Records of the HTTP contract's JSON, validated by Spring Validation. */
@NullMarked
package io.keptlog.http.dto;

import org.jspecify.annotations.NullMarked;
