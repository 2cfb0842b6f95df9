// SPDX-License-Identifier: Apache-2.0
/** JSON of streams, topics, partitions, groups and options. */
@NullMarked
package io.keptlog.http.dto.catalog;

import org.jspecify.annotations.NullMarked;
