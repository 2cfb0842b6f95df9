// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.storage.TestBatches.Read;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a partition log that knows idempotent producers does (requirements D9), beside what every partition log does. */
public abstract class IdempotentAppendContract extends PartitionLogContract {
    /** Records whose contents follow from their sequences, so that a wrong slice shows. */
    protected static List<byte[]> numbered(long sequence, int count) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(TestBatches.record(
                    1 + sequence + i,
                    ("message " + (sequence + i))
                            .repeat(1 + (int) (sequence + i) % 7)
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
        return records;
    }

    protected static MessageBatch sent(long sequence, int count) {
        return TestBatches.stamped(sequence, numbered(sequence, count));
    }

    protected static List<Read> expected(long sequence, int count) {
        List<Read> all = new ArrayList<>();
        for (byte[] record : numbered(sequence, count)) {
            all.add(new Read(all.size(), TestBatches.text(record)));
        }
        return all;
    }

    @Test
    void aRepeatedBatchIsStoredOnceAndConfirmedAgain() {
        PartitionLog log = create(REPLICATED);
        Appended first = log.append(sent(0, 3), soon());
        log.append(TestBatches.batch(4, 10), soon());
        Appended again = log.append(sent(0, 3), soon());
        assertThat(first.duplicate()).isFalse();
        assertThat(again).isEqualTo(new Appended(0, 3, first.epoch(), true));
        assertThat(log.append(sent(3, 2), soon()).baseOffset()).isEqualTo(7);
        assertThat(readAll(log)).hasSize(9);
    }

    @Test
    void ofABatchWithOldAndNewMessagesTheNewOnesAreStored() {
        PartitionLog log = create(REPLICATED);
        log.append(sent(0, 3), soon());
        Appended rest = log.append(sent(1, 7), soon());
        assertThat(rest.duplicate()).isFalse();
        assertThat(rest.baseOffset()).isEqualTo(3);
        assertThat(rest.endOffset()).isEqualTo(8);
        assertThat(readAll(log)).isEqualTo(expected(0, 8));
        assertThat(log.append(sent(0, 8), soon()).duplicate()).isTrue();
    }

    @Test
    void aGapIsRefusedAndChangesNothing() {
        PartitionLog log = create(REPLICATED);
        log.append(sent(0, 3), soon());
        assertThatThrownBy(() -> log.append(sent(4, 1), soon())).isInstanceOfSatisfying(KeptlogException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_GAP);
            assertThat(e.details()).containsEntry("expected_sequence", BigInteger.valueOf(3));
        });
        assertThat(log.status().endOffset()).isEqualTo(3);
        assertThat(log.append(sent(3, 1), soon()).baseOffset()).isEqualTo(3);
    }

    @Test
    void anEpochThatIsOverIsRefused() {
        PartitionLog log = create(REPLICATED);
        log.append(sent(0, 3), soon());
        MessageBatch newer = TestBatches.batch(numbered(0, 1)).by(new ProducerStamp(7, 2, 40));
        assertThat(log.append(newer, soon()).baseOffset()).isEqualTo(3);
        assertThatThrownBy(() -> log.append(sent(3, 1), soon()))
                .isInstanceOfSatisfying(
                        KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PRODUCER_FENCED));
        assertThat(log.status().endOffset()).isEqualTo(4);
    }

    @Test
    void producersAndPartitionsAreIndependent() {
        PartitionLog log = create(REPLICATED);
        PartitionLog other = create(REPLICATED);
        log.append(sent(0, 3), soon());
        assertThat(other.append(sent(0, 3), soon()).duplicate()).isFalse();
        MessageBatch another = TestBatches.batch(numbered(0, 3)).by(new ProducerStamp(8, 1, 0));
        assertThat(log.append(another, soon()).duplicate()).isFalse();
        assertThat(log.append(TestBatches.batch(numbered(0, 3)), soon()).duplicate())
                .isFalse();
        assertThat(readAll(log)).hasSize(9);
    }

    @Test
    void aDuplicateCanBeWaitedForLikeItsFirstLife() {
        PartitionLog log = create(PERSISTED);
        log.append(sent(0, 3), soon());
        Appended again = log.append(sent(0, 3), soon());
        log.tail().awaitPersisted(again.endOffset(), soon());
        assertThat(log.tail().persistedEnd()).isEqualTo(3);
    }

    /** Each producer's sender repeats at random, several at once: what is stored is each message once, in order. */
    @Test
    void retriesThatOverlapStoreEachMessageOnce() throws Exception {
        long seed = System.nanoTime();
        System.out.println("retriesThatOverlapStoreEachMessageOnce seed " + seed);
        PartitionLog log = create(small(Durability.REPLICATED));
        int messages = 300;
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch go = new CountDownLatch(1);
            for (int w = 0; w < 4; w++) {
                Random random = new Random(seed + w);
                all.add(threads.submit(() -> {
                    go.await();
                    long next = 0;
                    while (next < messages) {
                        long from = Math.max(0, next - random.nextInt(5));
                        int count = (int) Math.min(messages - from, 1 + random.nextInt(8));
                        try {
                            log.append(sent(from, count), soon());
                            next = Math.max(next, from + count);
                        } catch (KeptlogException e) {
                            // Another sender of the same producer is behind; this one waits for nobody.
                            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_GAP);
                            next = ((BigInteger) e.details().get("expected_sequence")).longValueExact();
                        }
                    }
                    return null;
                }));
            }
            go.countDown();
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(readAll(log)).isEqualTo(expected(0, messages));
    }
}
