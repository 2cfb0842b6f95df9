// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** Consumer offsets for tests, in memory. */
public final class InMemoryOffsetStore implements OffsetStore {
    private record Key(PartitionRef ref, long incarnation, ConsumerKey consumer) {}

    private final Map<Key, Long> offsets = new HashMap<>();
    private final Map<Key, Long> takenBack = new HashMap<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private long records;
    private long persisted;
    private KeptlogException storeFault;
    private KeptlogException syncFault;
    private int kicks;

    private static Key key(PartitionSpec partition, ConsumerKey consumer) {
        return new Key(partition.ref(), partition.incarnation(), consumer);
    }

    public synchronized void failStores(KeptlogException fault) {
        storeFault = fault;
    }

    public synchronized void failSyncs(KeptlogException fault) {
        syncFault = fault;
    }

    public synchronized int kicks() {
        return kicks;
    }

    /** Records that a waiter has seen on "stable storage". */
    public synchronized long persisted() {
        return persisted;
    }

    @Override
    public synchronized OptionalLong get(PartitionSpec partition, ConsumerKey consumer) {
        Long offset = offsets.get(key(partition, consumer));
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    @Override
    public synchronized long store(PartitionSpec partition, ConsumerKey consumer, long offset) {
        if (storeFault != null) {
            throw storeFault;
        }
        offsets.put(key(partition, consumer), offset);
        takenBack.remove(key(partition, consumer));
        return ++records;
    }

    @Override
    public synchronized long delete(PartitionSpec partition, ConsumerKey consumer) {
        takenBack.remove(key(partition, consumer));
        if (offsets.remove(key(partition, consumer)) == null) {
            throw new KeptlogException(
                    ErrorCode.CONSUMER_OFFSET_NOT_FOUND, "This consumer has no offset stored here.", "consumer_id");
        }
        return ++records;
    }

    @Override
    public synchronized void forget(List<PartitionSpec> partitions, ConsumerKey consumer) {
        partitions.forEach(p -> offsets.remove(key(p, consumer)));
    }

    @Override
    public synchronized void forget(List<PartitionSpec> partitions) {
        for (PartitionSpec p : partitions) {
            offsets.keySet().removeIf(k -> k.ref().equals(p.ref()) && k.incarnation() == p.incarnation());
        }
    }

    @Override
    public synchronized List<ConsumerOffset> list(PartitionSpec partition) {
        List<ConsumerOffset> found = new ArrayList<>();
        offsets.forEach((k, offset) -> {
            if (k.ref().equals(partition.ref()) && k.incarnation() == partition.incarnation()) {
                found.add(new ConsumerOffset(k.consumer(), offset));
            }
        });
        return found;
    }

    @Override
    public synchronized List<ConsumerOffset> clamp(PartitionSpec partition, long firstOffset, long endOffset) {
        List<ConsumerOffset> beyond =
                list(partition).stream().filter(o -> o.offset() >= endOffset).toList();
        for (ConsumerOffset o : beyond) {
            takenBack.merge(key(partition, o.consumer()), o.offset(), Math::max);
            if (endOffset > firstOffset) {
                offsets.put(key(partition, o.consumer()), endOffset - 1);
            } else {
                offsets.remove(key(partition, o.consumer()));
            }
        }
        return beyond;
    }

    @Override
    public synchronized OptionalLong takenBack(PartitionSpec partition, ConsumerKey consumer) {
        Long offset = takenBack.get(key(partition, consumer));
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    @Override
    public SyncTarget tail(PartitionSpec partition) {
        return new SyncTarget() {
            @Override
            public Evidence awaitReplicated(long end, Deadline deadline) {
                return Evidence.IN_PAGE_CACHE;
            }

            @Override
            public Evidence awaitPersisted(long end, Deadline deadline) {
                synchronized (InMemoryOffsetStore.this) {
                    if (syncFault != null) {
                        throw syncFault;
                    }
                    persisted = records;
                    return Evidence.ON_STABLE_STORAGE;
                }
            }

            @Override
            public void kick() {
                synchronized (InMemoryOffsetStore.this) {
                    kicks++;
                }
            }

            @Override
            public long persistedEnd() {
                return persisted();
            }
        };
    }

    @Override
    public List<Fault> faults() {
        return faults;
    }

    @Override
    public void close() {}
}
