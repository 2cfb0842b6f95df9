// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.ledger.append.AppendLane;
import io.keptlog.cluster.ledger.append.ProducerCopier;
import io.keptlog.cluster.ledger.read.LedgerReads;
import io.keptlog.domain.PartitionSpec;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;

/** What an open log is made of. */
record LogParts(
        PartitionSpec spec,
        LedgerClient client,
        ManagedLedgerImpl ledger,
        AppendLane lane,
        LedgerReads reads,
        LedgerRoller roller,
        ProducerCopier producers,
        SyncCheck syncCheck,
        LedgerSettings settings,
        LogOpener.OpeningRecord record,
        long epoch) {}
