// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Limits;
import io.keptlog.storage.OffsetStore.ConsumerOffset;
import io.keptlog.storage.journal.record.OffsetRecord;
import io.keptlog.storage.journal.record.OffsetRecord.Life;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stored offsets in memory. Reads take no lock; changes come one after the other, under the journal's lock or before it starts. */
final class OffsetTable {
    private final Map<Life, Map<ConsumerKey, Long>> lives = new ConcurrentHashMap<>();
    /** Offsets that a recovery took back, as they were. Few. */
    private final Map<Life, Map<ConsumerKey, Long>> takenBack = new ConcurrentHashMap<>();

    private final AtomicInteger count = new AtomicInteger();

    @Nullable
    Long get(Life life, ConsumerKey consumer) {
        Map<ConsumerKey, Long> offsets = lives.get(life);
        return offsets == null ? null : offsets.get(consumer);
    }

    @Nullable
    Long takenBack(Life life, ConsumerKey consumer) {
        Map<ConsumerKey, Long> offsets = takenBack.get(life);
        return offsets == null ? null : offsets.get(consumer);
    }

    private void endTakenBack(OffsetRecord record) {
        Map<ConsumerKey, Long> offsets = takenBack.get(record.life());
        if (offsets != null) {
            offsets.remove(record.consumer());
        }
    }

    /** Sorted, so that what follows from it does not depend on hash order. */
    List<ConsumerOffset> list(Life life) {
        return lives.getOrDefault(life, Map.of()).entrySet().stream()
                .map(e -> new ConsumerOffset(e.getKey(), e.getValue()))
                .sorted(Comparator.comparing((ConsumerOffset o) -> o.consumer().kind())
                        .thenComparing(o -> o.consumer().id(), Integer::compareUnsigned))
                .toList();
    }

    boolean isFull() {
        return count.get() >= Limits.CONSUMER_OFFSETS_MAX;
    }

    boolean knows(Life life) {
        return lives.containsKey(life);
    }

    void apply(OffsetRecord record) {
        switch (record.type()) {
            case STORE -> {
                endTakenBack(record);
                Map<ConsumerKey, Long> offsets =
                        lives.computeIfAbsent(record.life(), life -> new ConcurrentHashMap<>());
                if (offsets.put(record.consumer(), record.offset()) == null) {
                    count.incrementAndGet();
                }
            }
            case DELETE -> {
                endTakenBack(record);
                Map<ConsumerKey, Long> offsets = lives.get(record.life());
                if (offsets != null && offsets.remove(record.consumer()) != null) {
                    count.decrementAndGet();
                }
            }
            case TAKEN_BACK -> takenBack
                    .computeIfAbsent(record.life(), life -> new ConcurrentHashMap<>())
                    .put(record.consumer(), record.offset());
            case FORGET -> {
                takenBack.remove(record.life());
                Map<ConsumerKey, Long> offsets = lives.remove(record.life());
                if (offsets != null) {
                    count.addAndGet(-offsets.size());
                }
            }
        }
    }

    /** Every offset as a store record, in parts of bounded size. Changes made meanwhile may be in it or not: replaying one twice is as once. */
    void writeTo(SnapshotSource.Parts parts) throws IOException {
        write(lives, OffsetRecord::store, parts);
        write(takenBack, OffsetRecord::takenBack, parts);
    }

    /** How an offset is written. */
    private interface Form {
        OffsetRecord of(Life life, ConsumerKey consumer, long offset);
    }

    private static void write(Map<Life, Map<ConsumerKey, Long>> offsets, Form form, SnapshotSource.Parts parts)
            throws IOException {
        int perPart = Limits.JOURNAL_SNAPSHOT_PART_BYTES / OffsetRecord.BYTES;
        var part = new ArrayList<OffsetRecord>();
        for (var life : offsets.entrySet()) {
            for (var offset : life.getValue().entrySet()) {
                part.add(form.of(life.getKey(), offset.getKey(), offset.getValue()));
                if (part.size() == perPart) {
                    parts.add(OffsetRecord.encode(part));
                    part.clear();
                }
            }
        }
        if (!part.isEmpty()) {
            parts.add(OffsetRecord.encode(part));
        }
    }
}
