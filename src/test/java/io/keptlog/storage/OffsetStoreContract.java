// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ConsumerKey.Kind;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.OffsetStore.ConsumerOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every offset store does. */
public abstract class OffsetStoreContract {
    protected static final PartitionSpec P0 = spec(0, 0, 0, 11);
    protected static final PartitionSpec P1 = spec(0, 0, 1, 12);
    protected static final ConsumerKey ONE = new ConsumerKey(Kind.CONSUMER, 1);
    protected static final ConsumerKey GROUP_ONE = new ConsumerKey(Kind.CONSUMER_GROUP, 1);
    protected static final ConsumerKey LARGEST = new ConsumerKey(Kind.CONSUMER, -1);

    protected abstract OffsetStore store();

    /** Closes it and opens it again. */
    protected abstract OffsetStore reopened();

    protected static PartitionSpec spec(int stream, int topic, int partition, long incarnation) {
        return new PartitionSpec(
                new PartitionRef(stream, topic, partition), incarnation, LogOptions.defaults(Durability.REPLICATED));
    }

    private static Deadline soon() {
        return Deadline.inMillis(30_000);
    }

    @Test
    void aStoredOffsetIsThereAtOnceAndAfterTheRestart() {
        assertThat(store().get(P0, ONE)).isEmpty();
        store().store(P0, ONE, 5);
        store().store(P0, GROUP_ONE, 6);
        store().store(P0, LARGEST, (1L << 31) + 5);
        store().store(P1, ONE, Long.MAX_VALUE);
        reopened();
        assertThat(store().get(P0, ONE)).hasValue(5);
        assertThat(store().get(P0, GROUP_ONE)).hasValue(6);
        assertThat(store().get(P0, LARGEST)).hasValue((1L << 31) + 5);
        assertThat(store().get(P1, ONE)).hasValue(Long.MAX_VALUE);
        assertThat(store().get(P1, GROUP_ONE)).isEmpty();
        assertThat(store().faults()).isEmpty();
    }

    @Test
    void storingAnEarlierOffsetRewinds() {
        store().store(P0, ONE, 50);
        store().store(P0, ONE, 7);
        assertThat(store().get(P0, ONE)).hasValue(7);
        assertThat(reopened().get(P0, ONE)).hasValue(7);
    }

    @Test
    void aDeletedOffsetIsGoneForGood() {
        store().store(P0, ONE, 5);
        store().delete(P0, ONE);
        assertThat(store().get(P0, ONE)).isEmpty();
        assertThat(reopened().get(P0, ONE)).isEmpty();
        assertThatThrownBy(() -> store().delete(P0, ONE))
                .isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                        .isEqualTo(ErrorCode.CONSUMER_OFFSET_NOT_FOUND));
    }

    @Test
    void aLaterLifeOfTheSamePartitionStartsWithNone() {
        store().store(P0, ONE, 5);
        PartitionSpec laterLife = spec(0, 0, 0, 99);
        assertThat(store().get(laterLife, ONE)).isEmpty();
        store().store(laterLife, ONE, 1);
        assertThat(store().get(P0, ONE)).hasValue(5);
        store().forget(List.of(P0));
        assertThat(store().get(P0, ONE)).isEmpty();
        reopened();
        assertThat(store().get(P0, ONE)).isEmpty();
        assertThat(store().get(laterLife, ONE)).hasValue(1);
    }

    @Test
    void aDeletedGroupIsForgottenInAllItsPartitions() {
        store().store(P0, GROUP_ONE, 1);
        store().store(P1, GROUP_ONE, 2);
        store().store(P1, ONE, 3);
        store().forget(List.of(P0, P1, spec(9, 9, 9, 9)), GROUP_ONE);
        reopened();
        assertThat(store().get(P0, GROUP_ONE)).isEmpty();
        assertThat(store().get(P1, GROUP_ONE)).isEmpty();
        assertThat(store().get(P1, ONE)).hasValue(3);
    }

    @Test
    void offsetsOfAPartitionAreListed() {
        store().store(P0, GROUP_ONE, 1);
        store().store(P0, ONE, 2);
        store().store(P1, ONE, 3);
        assertThat(store().list(P0))
                .containsExactlyInAnyOrder(new ConsumerOffset(ONE, 2), new ConsumerOffset(GROUP_ONE, 1));
        assertThat(store().list(spec(5, 5, 5, 5))).isEmpty();
    }

    @Test
    void aClampTakesOffsetsBackToTheLastMessageKept() {
        store().store(P0, ONE, 9);
        store().store(P0, GROUP_ONE, 10);
        store().store(P0, LARGEST, 700);
        assertThat(store().clamp(P0, 3, 10))
                .containsExactlyInAnyOrder(new ConsumerOffset(GROUP_ONE, 10), new ConsumerOffset(LARGEST, 700));
        reopened();
        assertThat(store().get(P0, ONE)).hasValue(9);
        assertThat(store().get(P0, GROUP_ONE)).hasValue(9);
        assertThat(store().get(P0, LARGEST)).hasValue(9);
        assertThat(store().clamp(P0, 3, 10)).isEmpty();
    }

    @Test
    void aClampToAnEmptyPartitionRemovesTheOffsets() {
        store().store(P0, ONE, 9);
        assertThat(store().clamp(P0, 4, 4)).containsExactly(new ConsumerOffset(ONE, 9));
        assertThat(store().get(P0, ONE)).isEmpty();
        assertThat(reopened().get(P0, ONE)).isEmpty();
    }

    @Test
    void everyWriteCanBeWaitedForAtBothLevels() {
        SyncTarget tail = store().tail(P0);
        long end = store().store(P0, ONE, 1);
        assertThat(tail.awaitReplicated(end, soon()).copies()).isPositive();
        Evidence evidence = tail.awaitPersisted(end, soon());
        assertThat(evidence.durability()).isEqualTo(Durability.PERSISTED);
        assertThat(tail.persistedEnd()).isGreaterThanOrEqualTo(end);
        long deleted = store().delete(P0, ONE);
        assertThat(deleted).isGreaterThan(end);
        tail.awaitPersisted(deleted, soon());
        // Already there: returns whatever the deadline.
        tail.awaitPersisted(end, Deadline.inMillis(0));
    }

    @Test
    void manyWritersKeepTheirOwnLastValue() throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = new ArrayList<Future<?>>();
            for (int w = 0; w < 32; w++) {
                var consumer = new ConsumerKey(Kind.CONSUMER, w);
                writers.add(pool.submit(() -> {
                    for (int i = 0; i < 50; i++) {
                        long end = store().store(P0, consumer, i);
                        if (i % 10 == 0) {
                            store().tail(P0).awaitPersisted(end, soon());
                        }
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get(60, TimeUnit.SECONDS);
            }
        }
        reopened();
        for (int w = 0; w < 32; w++) {
            assertThat(store().get(P0, new ConsumerKey(Kind.CONSUMER, w))).isEqualTo(OptionalLong.of(49));
        }
    }
}
