// SPDX-License-Identifier: Apache-2.0
/**
 * What a partition remembers of idempotent producers: which of their messages it has, and where (requirements D9). Pure state, shared by
 * both stores; each keeps it equal to its log.
 */
@NullMarked
package io.keptlog.storage.producer;

import org.jspecify.annotations.NullMarked;
