// SPDX-License-Identifier: Apache-2.0
/** What exists: streams, topics, partitions, groups, users and tokens as one immutable state, and the changes that lead from one state to the next. */
@NullMarked
package io.keptlog.domain.catalog;

import org.jspecify.annotations.NullMarked;
