// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.DecommissionReport;
import io.keptlog.domain.cluster.DecommissionReport.LastCopies;
import io.keptlog.domain.cluster.DecommissionReport.StrandedStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;

/**
 * Says what the loss of a bookie would mean. Goes by the metadata of every ledger of the cluster (messages, consumer offsets, producers) and by
 * which bookies are alive, not by what the bookies really have: the depth audit says that. Changes nothing. Thread-safe.
 */
public final class DecommissionCheck {
    private static final int LISTED_MAX = 1_000;

    private final LedgerClient client;

    public DecommissionCheck(LedgerClient client) {
        this.client = client;
    }

    /**
     * @param policies of every stream
     * @throws KeptlogException NOT_FOUND: no such bookie, alive or in a ledger; QUORUM_UNAVAILABLE
     */
    public DecommissionReport check(String bookie, List<StrandedStream> policies, Deadline deadline) {
        SortedMap<Long, LedgerMetadata> ledgers = ledgers(parse(bookie), deadline);
        Set<String> others = new HashSet<>(client.writableBookies(deadline));
        boolean writable = others.remove(bookie);
        Set<String> alive = new HashSet<>(client.bookies().readOnly(deadline));
        boolean readOnly = alive.remove(bookie);
        alive.addAll(others);
        if (!writable && !readOnly && ledgers.isEmpty()) {
            throw absent(bookie);
        }
        var lastCopies = new ArrayList<LastCopies>();
        long underReplicated = 0;
        for (Map.Entry<Long, LedgerMetadata> one : ledgers.entrySet()) {
            int left = copiesLeft(one.getValue(), bookie, alive);
            if (left == 0 && lastCopies.size() < LISTED_MAX) {
                lastCopies.add(new LastCopies(one.getKey(), owner(one.getValue())));
            }
            underReplicated += left < one.getValue().getWriteQuorumSize() ? 1 : 0;
        }
        return new DecommissionReport(
                bookie,
                writable || readOnly,
                others.size(),
                policies.stream()
                        .filter(s -> !client.bookies().enough(s.policy(), others))
                        .toList(),
                ledgers.size(),
                List.copyOf(lastCopies),
                underReplicated);
    }

    private static KeptlogException absent(String bookie) {
        return new KeptlogException(ErrorCode.NOT_FOUND, "There is no bookie " + bookie + ".", "bookie_id");
    }

    private static BookieId parse(String bookie) {
        try {
            return BookieId.parse(bookie);
        } catch (IllegalArgumentException e) {
            throw absent(bookie);
        }
    }

    private SortedMap<Long, LedgerMetadata> ledgers(BookieId bookie, Deadline deadline) {
        var found = new CompletableFuture<SortedMap<Long, LedgerMetadata>>();
        BookKeeperAdmin admin = client.admin();
        admin.asyncGetLedgersContainBookies(Set.of(bookie), (code, ledgers) -> {
            if (code == BKException.Code.OK) {
                found.complete(ledgers);
            } else {
                found.completeExceptionally(BKException.create(code));
            }
        });
        try {
            return Waits.result(found, deadline);
        } catch (ExecutionException | TimeoutException e) {
            throw KeptlogException.retryable(
                    ErrorCode.QUORUM_UNAVAILABLE, "The ledgers cannot be listed now: " + Waits.unwrap(e), 1);
        }
    }

    /** The least that any of the ledger's write sets with this bookie would have left. */
    private static int copiesLeft(LedgerMetadata ledger, String bookie, Set<String> alive) {
        var policy = new QuorumPolicy(ledger.getEnsembleSize(), ledger.getWriteQuorumSize(), ledger.getAckQuorumSize());
        int least = policy.writeQuorum();
        for (List<String> ensemble : LedgerClient.ensembles(ledger).values()) {
            for (int first = 0; first < policy.ensembleSize(); first++) {
                List<String> writeSet =
                        policy.writeSet(first).stream().map(ensemble::get).toList();
                if (writeSet.contains(bookie)) {
                    least = Math.min(least, (int)
                            writeSet.stream().filter(alive::contains).count());
                }
            }
        }
        return least;
    }

    /** The first label that a managed ledger, or one of ours, was made with. */
    private static String owner(LedgerMetadata ledger) {
        byte[] managed = ledger.getCustomMetadata().get("pulsar/managed-ledger");
        if (managed != null) {
            return new String(managed, StandardCharsets.UTF_8);
        }
        return ledger.getCustomMetadata().entrySet().stream()
                .filter(e -> e.getKey().startsWith("keptlog"))
                .map(e -> new String(e.getValue(), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }
}
