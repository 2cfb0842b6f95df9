// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.service.offset.ConsumerIds;
import io.keptlog.storage.Catalog;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the partition of a request (Iggy HTTP API §4): the client's choice, the key's, or the next in turn, one turn per request and
 * topic. Safe for any number of threads. The turns start anew with the process; nothing depends on them.
 */
public final class Partitioner {
    /** Turns of deleted topics are dropped when there are this many more turns than topics: ids are never reused. */
    private static final int TURNS_SLACK = 1024;

    private final Catalog catalog;
    private final ConcurrentMap<Long, AtomicInteger> turns = new ConcurrentHashMap<>();

    public Partitioner(Catalog catalog) {
        this.catalog = catalog;
    }

    /**
     * @return the partition's number; it may be beyond the topic's partitions when the client chose it
     * @throws KeptlogException PARTITION_NOT_FOUND when the topic has no partition to choose from
     */
    long choose(TopicEntry topic, Partitioning partitioning) {
        if (partitioning instanceof Partitioning.PartitionId chosen) {
            return chosen.id();
        }
        int partitions = topic.partitions().size();
        if (partitions == 0) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND,
                    "Topic " + topic.id() + " of stream " + topic.streamId() + " has no partitions.",
                    "partition_id");
        }
        return switch (partitioning) {
            case Partitioning.MessagesKey key -> Integer.toUnsignedLong(ConsumerIds.hash(key.key())) % partitions;
            default -> Integer.toUnsignedLong(turn(topic).getAndIncrement()) % partitions;
        };
    }

    private AtomicInteger turn(TopicEntry topic) {
        long key = ((long) topic.streamId() << 32) | topic.id();
        AtomicInteger turn = turns.get(key);
        if (turn == null) {
            turn = turns.computeIfAbsent(key, ignored -> new AtomicInteger());
            forgetDeleted(catalog.state());
        }
        return turn;
    }

    private void forgetDeleted(CatalogState state) {
        int topics = state.streams().values().stream()
                .mapToInt(s -> s.topics().size())
                .sum();
        if (turns.size() > topics + TURNS_SLACK) {
            turns.keySet().removeIf(k -> state.findTopic((int) (k >> 32), k.intValue()) == null);
        }
    }
}
