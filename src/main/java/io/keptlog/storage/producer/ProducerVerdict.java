// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

/**
 * What to do with a batch of a producer.
 *
 * @param oldMessages how many of its first messages the log has: 0 = append all of it; all of them = append nothing and confirm the
 *     range; between = append the rest
 * @param baseOffset of the stored messages when all are old, else −1
 * @param endOffset exclusive, when all are old, else −1. The range holds exactly the batch when it is as long as the batch; a longer one
 *     holds other messages as well
 * @param epoch boot number of the server that wrote the last of them, when all are old, else −1
 */
public record ProducerVerdict(int oldMessages, long baseOffset, long endOffset, long epoch) {
    static final ProducerVerdict NEW = new ProducerVerdict(0, -1, -1, -1);

    static ProducerVerdict partlyOld(int oldMessages) {
        return new ProducerVerdict(oldMessages, -1, -1, -1);
    }

    /** Whether the whole batch is to be appended. */
    public boolean isNew() {
        return oldMessages == 0;
    }

    /** Whether the log has the whole batch. */
    public boolean isDuplicate() {
        return endOffset >= 0;
    }
}
