// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

/**
 * Identity of an idempotent produce (requirements D9).
 *
 * @param producerId chosen by the producer; 0 means "none" on disk and is refused
 * @param epoch u32 in an int; a higher one fences the lower ones
 * @param sequence number of the batch's first message; messages count on from it
 */
public record ProducerStamp(long producerId, int epoch, long sequence) {
    public ProducerStamp {
        if (producerId == 0) {
            throw new IllegalArgumentException("producer id 0");
        }
    }

    /** Of the messages that follow after this many. */
    public ProducerStamp after(long messages) {
        return new ProducerStamp(producerId, epoch, sequence + messages);
    }
}
