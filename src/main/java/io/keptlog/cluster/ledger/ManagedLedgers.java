// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.append.LaneInterceptor;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.QuorumPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.mledger.AsyncCallbacks;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the logs use the library's managed ledgers. */
final class ManagedLedgers {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedLedgers.class);

    private ManagedLedgers() {}

    /** Nothing is rolled or trimmed by the library itself. */
    static ManagedLedgerConfig config(QuorumPolicy policy, boolean createIfMissing) {
        var config = new ManagedLedgerConfig();
        config.setCreateIfMissing(createIfMissing);
        config.setMaxEntriesPerLedger(LaneInterceptor.OUT_OF_REACH);
        config.setMaxSizePerLedgerMb(LaneInterceptor.OUT_OF_REACH);
        config.setMaximumRolloverTime(36_500, TimeUnit.DAYS);
        LedgerTrimmer.keepEverything(config);
        config.setDigestType(LedgerClient.DIGEST);
        config.setPassword("");
        config.setMetadataOperationsTimeoutSeconds(10);
        config.setAddEntryTimeoutSeconds(10);
        config.setReadEntryTimeoutSeconds(10);
        apply(config, policy);
        return config;
    }

    /** Takes effect with the next ledger. */
    static void apply(ManagedLedgerConfig config, QuorumPolicy policy) {
        config.setEnsembleSize(policy.ensembleSize());
        config.setWriteQuorumSize(policy.writeQuorum());
        config.setAckQuorumSize(policy.ackQuorum());
        config.setMetadataEnsembleSize(policy.ensembleSize());
        config.setMetadataWriteQuorumSize(policy.writeQuorum());
        config.setMetadataAckQuorumSize(policy.ackQuorum());
    }

    static void close(ManagedLedger ledger, Deadline deadline) {
        var closed = new CompletableFuture<Boolean>();
        ledger.asyncClose(
                new AsyncCallbacks.CloseCallback() {
                    @Override
                    public void closeComplete(Object context) {
                        closed.complete(true);
                    }

                    @Override
                    public void closeFailed(ManagedLedgerException e, Object context) {
                        closed.completeExceptionally(e);
                    }
                },
                null);
        try {
            Waits.result(closed, deadline);
        } catch (ExecutionException | TimeoutException e) {
            // Nothing depends on it: the next owner recovers the ledger, whether it was closed or not.
            LOG.info(
                    "{} was left open for its next owner: {}",
                    ledger.getName(),
                    Waits.unwrap(e).toString());
        }
    }
}
