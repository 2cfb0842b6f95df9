// SPDX-License-Identifier: Apache-2.0
/**
 * The one file format of all journals: writing a generation, and reading one that may be torn, damaged or gone.
 *
 * <p>A journal is a directory (or two that mirror each other) with one file per generation, {@code {20 digits}.journal}. A generation
 * begins with a snapshot of everything before it. The one before is kept, renamed to {@code {20 digits}.previous} once the newer one is
 * durable: so a newest file that vanished is noticed. All numbers are little-endian; CRC32C.
 *
 * <pre>
 * file        0  header     0 u32 magic   4 u32 CRC over 8..32   8 u32 version   12 u32 zero   16 u64 generation   24 u64 id (random)
 *          4096  slot A     0 u32 magic   4 u32 CRC of id and 8..32   8 u64 sequence   16 u64 frames   24 u64 position
 *          8192  slot B     the same; the larger valid sequence counts: so many frames were on stable storage
 *         12288  frames, each 8-byte aligned, then zeros to the end of the file
 *
 * frame       0 u32 magic   4 u32 CRC of id, position and 8..32+length   8 u32 payload length   12 u32 kind
 *            16 u64 index in this file, from 0   24 u64 stable: frames known to be on stable storage when this one was written
 *            32 payload, padded with zeros to a multiple of 8
 * kind        1 part of the snapshot   2 end of the snapshot   3 record
 * </pre>
 */
@NullMarked
package io.keptlog.storage.journal.format;

import org.jspecify.annotations.NullMarked;
