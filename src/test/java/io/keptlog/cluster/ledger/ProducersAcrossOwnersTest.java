// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.storage.Appended;
import io.keptlog.storage.TestBatches;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A producer's retry is recognised by whoever owns the partition then (requirements D9). */
class ProducersAcrossOwnersTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);

    @TempDir
    static Path directory;

    private static LocalCluster cluster;
    private static LedgerFixture broker;

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(directory, 2);
        broker = new LedgerFixture(cluster);
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
        cluster.close();
    }

    private static MessageBatch sent(long sequence, int count) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(TestBatches.record(1 + sequence + i, ("s" + (sequence + i)).getBytes(StandardCharsets.UTF_8)));
        }
        return TestBatches.stamped(sequence, records);
    }

    private static Deadline soon() {
        return Deadline.inMillis(10_000);
    }

    @Test
    void theNextOwnerKnowsWhatADeadOneStored() throws Exception {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        try (var other = new LedgerFixture(cluster);
                LedgerLog dead = broker.create(spec, POLICY)) {
            append(dead, "nobody's");
            dead.append(sent(0, 3), soon());
            append(dead, "nobody's");
            Appended last = dead.append(sent(3, 2), soon());
            try (LedgerLog owner = (LedgerLog) other.reopen(spec, POLICY)) {
                assertThat(owner.append(sent(3, 2), soon())).isEqualTo(new Appended(5, 7, last.epoch(), true));
                assertThat(owner.append(sent(4, 2), soon()).baseOffset()).isEqualTo(7);
                assertThatThrownBy(() -> owner.append(sent(9, 1), soon()))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_GAP);
                            assertThat(e.details()).containsEntry("expected_sequence", BigInteger.valueOf(6));
                        });
                assertThat(LedgerFixture.readAll(owner, 0))
                        .containsExactly("nobody's", "s0", "s1", "s2", "nobody's", "s3", "s4", "s5");
            }
        }
    }

    @Test
    void whatIsRememberedOutlivesTheFramesItWasReadFrom() {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        try (LedgerLog log = broker.create(spec, POLICY)) {
            log.append(sent(0, 5), soon());
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(log.deleteSegments(5, Gap.Reason.RETENTION)).hasSize(1);
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(log.status().firstOffset()).isEqualTo(5);
            assertThat(log.append(sent(2, 3), soon()).duplicate()).isTrue();
            assertThat(log.append(sent(5, 1), soon()).baseOffset()).isEqualTo(5);
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(log.append(sent(5, 1), soon()).duplicate()).isTrue();
            assertThat(log.append(sent(6, 1), soon()).baseOffset()).isEqualTo(6);
        }
    }
}
