// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.PollStart;
import io.keptlog.domain.Visibility;

/**
 * A poll as a client asks for it.
 *
 * @param partitionId unsigned 32-bit number
 * @param count wanted messages, at least 1
 * @param maxBytes stored bytes after which no further message is added; the first one comes whatever its size
 * @param epoch the newest epoch that the reader was told, or {@link #NO_EPOCH}: lets it be told what a recovery took of what it saw
 * @param autoCommit whether the offset of the last message is stored for the consumer along the way
 */
public record PollRequest(
        Identifier stream,
        Identifier topic,
        long partitionId,
        ConsumerKey consumer,
        PollStart start,
        int count,
        long maxBytes,
        boolean autoCommit,
        Visibility visibility,
        long epoch) {
    /** The reader remembers none. */
    public static final long NO_EPOCH = -1;

    /** The same reader, going on at this offset. */
    public PollRequest from(long offset, int nextCount, long nextMaxBytes, long nextEpoch) {
        return new PollRequest(
                stream,
                topic,
                partitionId,
                consumer,
                new PollStart(PollStart.Kind.OFFSET, offset),
                nextCount,
                nextMaxBytes,
                autoCommit,
                visibility,
                nextEpoch);
    }

    /** Of a reader that remembers no epoch. */
    public PollRequest(
            Identifier stream,
            Identifier topic,
            long partitionId,
            ConsumerKey consumer,
            PollStart start,
            int count,
            long maxBytes,
            boolean autoCommit,
            Visibility visibility) {
        this(stream, topic, partitionId, consumer, start, count, maxBytes, autoCommit, visibility, NO_EPOCH);
    }
}
