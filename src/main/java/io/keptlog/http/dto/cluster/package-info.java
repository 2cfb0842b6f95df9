// SPDX-License-Identifier: Apache-2.0
/** Bodies about quorums, bookies and ledgers. */
@NullMarked
package io.keptlog.http.dto.cluster;

import org.jspecify.annotations.NullMarked;
