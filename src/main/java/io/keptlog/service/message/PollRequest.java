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
        Visibility visibility) {}
