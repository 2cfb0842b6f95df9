// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.storage.TestBatches;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A batch that a client sent, and what is known of it. */
final class Batch {
    enum Fate {
        /** Sent; the answer is not known. */
        OPEN,
        /** In the log, at its base. */
        PLACED,
        /** The answer was "not stored". */
        REFUSED,
        /** Not found after a crash that may take it. */
        LOST
    }

    final long firstId;
    final List<byte[]> records;
    final @Nullable ProducerStamp stamp;
    Fate fate = Fate.OPEN;
    long base = -1;

    private Batch(long firstId, List<byte[]> records, @Nullable ProducerStamp stamp) {
        this.firstId = firstId;
        this.records = records;
        this.stamp = stamp;
    }

    static Batch random(long firstId, @Nullable ProducerStamp stamp, Random random) {
        int count = 1 + random.nextInt(random.nextInt(6) == 0 ? 8 : 3);
        int size = random.nextInt(10) == 0 ? 3_000 : 200;
        List<byte[]> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[random.nextInt(size)];
            random.nextBytes(payload);
            records.add(TestBatches.record(firstId + i, payload));
        }
        return new Batch(firstId, records, stamp);
    }

    /** The same messages sent once more. */
    Batch again() {
        return new Batch(firstId, records, stamp);
    }

    int count() {
        return records.size();
    }

    long end() {
        return base + records.size();
    }

    MessageBatch message() {
        MessageBatch batch = TestBatches.batch(records);
        return stamp == null ? batch : batch.by(stamp);
    }

    @Override
    public String toString() {
        return "batch " + firstId + "+" + records.size() + " " + fate + " at " + base
                + (stamp == null ? "" : " " + stamp);
    }
}
