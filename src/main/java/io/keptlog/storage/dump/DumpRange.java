// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

/**
 * Which part of a file is wanted.
 *
 * @param from first message offset of a segment, first entry of an index, first frame of a journal
 * @param count frames or entries at most
 * @param messages whether each message of a frame gets a line
 * @param payloadBytes bytes of each payload that are shown
 */
public record DumpRange(long from, long count, boolean messages, int payloadBytes) {
    public DumpRange {
        if (from < 0 || count < 0 || payloadBytes < 0) {
            throw new IllegalArgumentException("from " + from + ", count " + count + ", payload bytes " + payloadBytes);
        }
    }
}
