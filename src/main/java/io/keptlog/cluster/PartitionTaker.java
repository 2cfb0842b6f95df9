// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.cluster.metadata.PartitionLocks;
import io.keptlog.cluster.offsets.OffsetLedger;
import io.keptlog.cluster.offsets.OffsetPointer;
import io.keptlog.cluster.producers.ProducerLedger;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.PartitionLog;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes one partition into this broker's hands: its lock first, then its log, which fences the former owner. A crash in between lets the lock
 * go with the session. Thread-safe. Throws NOT_PRIMARY when another broker has the lock (nothing was done), else what the opening throws.
 */
final class PartitionTaker {
    private final Metadata metadata;
    private final PartitionLocks locks;
    private final String brokerId;
    private final LogOpener opener;
    private final LedgerClient client;
    private final SyncCheck syncCheck;
    private final Policies policies;
    private final AtomicLong offsetNumbers = new AtomicLong();

    PartitionTaker(
            Metadata metadata,
            PartitionLocks locks,
            String brokerId,
            LogOpener opener,
            LedgerClient client,
            SyncCheck syncCheck,
            Policies policies) {
        this.metadata = metadata;
        this.locks = locks;
        this.brokerId = brokerId;
        this.opener = opener;
        this.client = client;
        this.syncCheck = syncCheck;
        this.policies = policies;
    }

    Owned take(String name, PartitionSpec spec) {
        if (!locks.acquire(name, brokerId)) {
            throw Ownership.notPrimary();
        }
        long openings = locks.openings(name);
        if (openings < 0) {
            locks.release(name);
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND, "Partition " + spec.ref() + " is not there.", "partition_id");
        }
        PartitionLog log =
                opener.open(spec, policies.of(spec.ref()), openings == 0, record(name), producers(name, spec));
        return new Owned(
                spec,
                log,
                () -> new OffsetLedger(
                        client, new OffsetPointer(metadata, name), policies.of(spec.ref()), syncCheck, offsetNumbers));
    }

    private LogOpener.OpeningRecord record(String name) {
        return new LogOpener.OpeningRecord() {
            @Override
            public long next() {
                return locks.nextOpening(name);
            }

            @Override
            public long filledLedger() {
                return locks.filledLedger(name);
            }

            @Override
            public void filled(long ledgerId) {
                locks.filled(name, ledgerId);
            }
        };
    }

    private ProducerLedger producers(String name, PartitionSpec spec) {
        return new ProducerLedger(client, metadata, () -> policies.of(spec.ref()), name);
    }
}
