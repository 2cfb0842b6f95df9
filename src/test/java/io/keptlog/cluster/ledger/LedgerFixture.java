// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.RackPolicy;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.ledger.append.PendingBytes;
import io.keptlog.cluster.ledger.append.ProducerCopies;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.cluster.producers.ProducerLedger;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.BatchBuilder;
import io.keptlog.domain.message.BufferPool;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.storage.Appended;
import io.keptlog.storage.PartitionLog;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One broker's client against a local cluster, and small messages. */
public final class LedgerFixture implements AutoCloseable {
    private static final BufferPool BUFFERS = new BufferPool();
    private static final AtomicLong EPOCHS = new AtomicLong();

    public final Metadata metadata;
    public final LedgerClient client;
    public final LogOpener opener;

    public LedgerFixture(LocalCluster cluster) throws Exception {
        this(cluster, RackPolicy.DEFAULT);
    }

    public LedgerFixture(LocalCluster cluster, RackPolicy racks) throws Exception {
        metadata = new Metadata(cluster.metadataUri(), 10_000);
        client = new LedgerClient(metadata.store(), cluster.bookKeeperUri(), 3, racks);
        opener = new LogOpener(
                client, b -> SyncCheck.Verdict.SYNCED, new PendingBytes(64 << 20), LedgerSettings.DEFAULT);
    }

    public static PartitionSpec newSpec(Durability durability) {
        return new PartitionSpec(
                new PartitionRef(0, 0, 0),
                ThreadLocalRandom.current().nextLong(),
                new LogOptions(1 << 20, durability, 1000, 1 << 20, false));
    }

    public LedgerLog create(PartitionSpec spec, QuorumPolicy policy) {
        return (LedgerLog) opener.open(spec, policy, true, EPOCHS::incrementAndGet, copies(spec, policy));
    }

    public PartitionLog reopen(PartitionSpec spec, QuorumPolicy policy) {
        return opener.open(spec, policy, false, EPOCHS::incrementAndGet, copies(spec, policy));
    }

    public ProducerCopies copies(PartitionSpec spec, QuorumPolicy policy) {
        return new ProducerLedger(client, metadata, () -> policy, LogOpener.name(spec));
    }

    public static Appended append(PartitionLog log, String... payloads) {
        return append(log, Deadline.inMillis(10_000), payloads);
    }

    public static Appended append(PartitionLog log, Deadline deadline, String... payloads) {
        try (var builder = new BatchBuilder(BUFFERS, 1024)) {
            for (String payload : payloads) {
                byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
                builder.begin();
                builder.payload(bytes, 0, bytes.length);
                builder.end(0, 1, 0);
            }
            return log.append(builder.build(), deadline);
        }
    }

    /** Every payload from the offset on, read in small steps. */
    public static List<String> readAll(PartitionLog log, long from) {
        var payloads = new ArrayList<String>();
        long next = from;
        while (true) {
            try (var slice = log.read(next, 7, 1 << 20, Visibility.TOPIC)) {
                if (slice.count() == 0) {
                    return payloads;
                }
                if (slice.startOffset() != next) {
                    throw new AssertionError("asked for " + next + ", got " + slice.startOffset());
                }
                slice.runs().forEach(run -> payloads.addAll(payloads(run)));
                next = slice.nextOffset();
            }
        }
    }

    private static List<String> payloads(RecordRun run) {
        var payloads = new ArrayList<String>();
        long at = 0;
        for (int i = 0; i < run.count(); i++) {
            int length = run.records().get(RecordLayout.U32, at + RecordLayout.LENGTH);
            int payload = run.records().get(RecordLayout.U32, at + RecordLayout.PAYLOAD_LENGTH);
            byte[] bytes = run.records().asSlice(at + length - payload, payload).toArray(ValueLayout.JAVA_BYTE);
            payloads.add(new String(bytes, StandardCharsets.UTF_8));
            at += length;
        }
        return payloads;
    }

    @Override
    public void close() throws Exception {
        client.close();
        metadata.close();
    }
}
