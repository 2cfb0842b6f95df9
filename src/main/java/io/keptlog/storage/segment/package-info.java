// SPDX-License-Identifier: Apache-2.0
/** The segment store of one node: positional writes, reads through mappings, one sync owner per partition, recovery. */
@NullMarked
package io.keptlog.storage.segment;

import org.jspecify.annotations.NullMarked;
