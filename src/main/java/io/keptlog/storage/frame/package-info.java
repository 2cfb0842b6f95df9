// SPDX-License-Identifier: Apache-2.0
/**
 * The frame: one stored batch with the header that chains it to its predecessor. Shared by the segment store and the cluster store.
 * Little-endian; a frame begins at a multiple of 8:
 *
 * <pre>
 *  0  u32  magic "KLF1"
 *  4  u32  header CRC32C: over the file position (u64), the incarnation (u64) and bytes 8 to 96
 *  8  u32  frame length: header, body and padding, a multiple of 8
 * 12  u32  body CRC32C: over the records, without padding
 * 16  u64  base offset: number of the first message
 * 24  u64  append time, microseconds since the epoch; never decreases in a log
 * 32  u32  message count, at least 1
 * 36  u32  attributes; bit 0: the producer fields are set; bit 1: follows a gap, the base offset may be higher than the end before it
 * 40  u64  incarnation: random per life of a partition
 * 48  u64  epoch: boot number of the server that wrote the frame; never decreases in a log
 * 56  u32  previous: header CRC of the frame before it, across segments; before the first: CRC32C of incarnation and magic
 * 60  u32  body length, without padding
 * 64  u64  stable offset: the partition's persisted end when the frame was written
 * 72  u64  producer id, 0 = none
 * 80  u32  producer epoch
 * 84  u32  zero
 * 88  u64  producer sequence
 * 96       body: records ({@code domain.message.RecordLayout}), then zeros up to a multiple of 8
 * </pre>
 */
@NullMarked
package io.keptlog.storage.frame;

import org.jspecify.annotations.NullMarked;
