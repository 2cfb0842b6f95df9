// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

/**
 * The result of an append: the messages have their offsets, their bytes are with the operating system (segment store) or submitted to
 * the ensemble (cluster). What that is worth is for the sync target to say.
 *
 * @param endOffset exclusive
 * @param duplicate the batch was stored before (idempotent produce): these are the offsets of its first life
 */
public record Appended(long baseOffset, long endOffset, long epoch, boolean duplicate) {}
