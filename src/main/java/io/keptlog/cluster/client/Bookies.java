// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.ClientContext;
import org.apache.bookkeeper.discover.RegistrationClient;
import org.apache.bookkeeper.meta.LedgerUnderreplicationManager;
import org.apache.bookkeeper.meta.MetadataClientDriver;
import org.apache.bookkeeper.meta.UnderreplicatedLedger;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.versioning.Versioned;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which bookies there are, as the metadata store lists them, and whether a ledger could be placed on them. Thread-safe. */
public final class Bookies {
    private static final Logger LOG = LoggerFactory.getLogger(Bookies.class);
    /** Every partition asks once a second. */
    private static final long FRESH_NANOS = 300_000_000;
    /** The placement chooses at random: what it does not find at once it may find at the next attempt. */
    private static final int ATTEMPTS = 3;

    private final BookKeeper bookKeeper;
    private final ClientContext context;
    private final BookieRacks racks;
    private volatile @Nullable Listed listed;

    private record Listed(Set<String> bookies, long atNanos) {}

    Bookies(BookKeeper bookKeeper, ClientContext context, BookieRacks racks) {
        this.bookKeeper = bookKeeper;
        this.context = context;
        this.racks = racks;
    }

    public BookieRacks racks() {
        return racks;
    }

    private RegistrationClient registrations() {
        return bookKeeper.getMetadataClientDriver().getRegistrationClient();
    }

    /** Bookies that take new ledgers. */
    public Set<String> writable(Deadline deadline) {
        Listed now = listed;
        if (now == null || System.nanoTime() - now.atNanos() > FRESH_NANOS) {
            now = new Listed(names(registrations().getWritableBookies(), deadline), System.nanoTime());
            listed = now;
        }
        return now.bookies();
    }

    public Set<String> readOnly(Deadline deadline) {
        return names(registrations().getReadOnlyBookies(), deadline);
    }

    /** Bookies that are there, whether or not they take new ledgers. */
    public Set<String> live(Deadline deadline) {
        var alive = new HashSet<>(writable(deadline));
        alive.addAll(readOnly(deadline));
        return alive;
    }

    private static Set<String> names(CompletableFuture<Versioned<Set<BookieId>>> answer, Deadline deadline) {
        try {
            return Waits.result(answer, deadline).getValue().stream()
                    .map(BookieId::toString)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (ExecutionException | TimeoutException e) {
            throw new KeptlogException(
                    ErrorCode.QUORUM_UNAVAILABLE, "The bookies cannot be listed now: " + Waits.unwrap(e));
        }
    }

    /** Where a bookie's admin port is, when it has published one: {@code host:port}. */
    public Optional<String> adminAddress(String bookie, Deadline deadline) throws ExecutionException, TimeoutException {
        var info = Waits.result(registrations().getBookieServiceInfo(BookieId.parse(bookie)), deadline)
                .getValue();
        return info.getEndpoints().stream()
                .filter(e -> "http".equals(e.getProtocol()) && e.getPort() > 0)
                .map(e -> e.getHost() + ":" + e.getPort())
                .findFirst();
    }

    /**
     * Why no ledger can be made now; null when one can.
     *
     * @throws KeptlogException QUORUM_UNAVAILABLE: the metadata store does not answer
     */
    public @Nullable String shortage(QuorumPolicy policy, Deadline deadline) {
        Set<String> writable = writable(deadline);
        if (writable.size() < policy.ensembleSize()) {
            return "A new ledger needs " + policy.ensembleSize() + " bookies, " + writable.size() + " are available";
        }
        if (!racks.policy().enforced()) {
            return null;
        }
        int needed = racksNeeded(policy);
        Set<String> there = racks.of(writable);
        if (there.size() < needed) {
            return "A new ledger needs bookies in " + needed + " racks, those that are available are in " + there.size()
                    + " (bookies without a configured rack count as one)";
        }
        return placeable(policy)
                ? null
                : "A new ledger needs " + policy.ensembleSize() + " bookies with each write set in " + needed
                        + " racks, and the " + writable.size() + " that are available in " + there.size()
                        + " racks are not spread so";
    }

    private int racksNeeded(QuorumPolicy policy) {
        return Math.min(racks.policy().minRacksPerWriteQuorum(), policy.writeQuorum());
    }

    /** Whether these would be enough for a ledger, by their number and, where that is enforced, their racks. */
    public boolean enough(QuorumPolicy policy, Set<String> writable) {
        return writable.size() >= policy.ensembleSize()
                && (!racks.policy().enforced() || racks.of(writable).size() >= racksNeeded(policy));
    }

    private boolean placeable(QuorumPolicy policy) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                context.getPlacementPolicy()
                        .newEnsemble(
                                policy.ensembleSize(),
                                policy.writeQuorum(),
                                policy.ackQuorum(),
                                Map.of(),
                                new HashSet<>());
                return true;
            } catch (BKException.BKNotEnoughBookiesException e) {
                LOG.debug("no ensemble for {} at attempt {}", policy, i);
            }
        }
        return false;
    }

    /** Bookie → ledgers that BookKeeper has marked because copies on it are missing; counts at most {@code max} ledgers. */
    public Map<String, Long> underReplicated(int max) {
        var found = new HashMap<String, Long>();
        MetadataClientDriver driver = bookKeeper.getMetadataClientDriver();
        try (LedgerUnderreplicationManager marked =
                driver.getLedgerManagerFactory().newLedgerUnderreplicationManager()) {
            Iterator<UnderreplicatedLedger> ledgers = marked.listLedgersToRereplicate(replicas -> true);
            for (int i = 0; i < max && ledgers.hasNext(); i++) {
                ledgers.next().getReplicaList().forEach(bookie -> found.merge(bookie, 1L, Long::sum));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("under-replicated ledgers cannot be listed now: {}", e.toString());
        }
        return found;
    }
}
