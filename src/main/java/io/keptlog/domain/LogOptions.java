// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * The topic options that a partition's log needs; sizes in bytes.
 *
 * @param segmentSizeBytes a segment is full from here on (a batch that is larger gets a segment of its own)
 * @param durability what readers may see: everything appended, or only what is synced
 * @param messagesRequiredToSave unsynced messages that trigger a background sync
 * @param sizeRequiredToSaveBytes unsynced bytes that trigger a background sync
 * @param preallocateSegments whether a whole segment is allocated when it is begun
 */
public record LogOptions(
        long segmentSizeBytes,
        Durability durability,
        int messagesRequiredToSave,
        long sizeRequiredToSaveBytes,
        boolean preallocateSegments) {
    public LogOptions {
        if (segmentSizeBytes < 4096 || segmentSizeBytes > Limits.SEGMENT_SIZE_MAX_BYTES) {
            throw new IllegalArgumentException("segment size " + segmentSizeBytes);
        }
        if (messagesRequiredToSave < 1 || sizeRequiredToSaveBytes < 0) {
            throw new IllegalArgumentException(
                    "save thresholds " + messagesRequiredToSave + " messages, " + sizeRequiredToSaveBytes + " bytes");
        }
    }

    public static LogOptions defaults(Durability durability) {
        return new LogOptions(
                Limits.SEGMENT_SIZE_DEFAULT_BYTES,
                durability,
                Limits.MESSAGES_REQUIRED_TO_SAVE_DEFAULT,
                Limits.SIZE_REQUIRED_TO_SAVE_DEFAULT_BYTES,
                false);
    }
}
