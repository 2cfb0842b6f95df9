// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.LedgerViews;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.append.AppendLane;
import io.keptlog.cluster.ledger.append.LaneInterceptor;
import io.keptlog.cluster.ledger.append.LaneProducers;
import io.keptlog.cluster.ledger.append.PendingBytes;
import io.keptlog.cluster.ledger.append.ProducerCopier;
import io.keptlog.cluster.ledger.append.ProducerCopies;
import io.keptlog.cluster.ledger.read.EntryReader;
import io.keptlog.cluster.ledger.read.LedgerReads;
import io.keptlog.cluster.ledger.read.OffsetLocator;
import io.keptlog.cluster.ledger.read.RecentFrames;
import io.keptlog.cluster.ledger.read.StoredFrame;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.producer.ProducerStates;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.ManagedLedgerInfo;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.jspecify.annotations.Nullable;

/**
 * Makes an appendable log of a partition: fences whoever wrote before, recovers the last ledger, finds the end, begins a new ledger. What
 * the earlier owner got acknowledged is in it. When no new ledger can be made, a read-only log takes its place.
 */
public final class LogOpener {
    private final LedgerClient client;
    private final SyncCheck syncCheck;
    private final PendingBytes budget;
    private final LedgerSettings settings;

    public LogOpener(LedgerClient client, SyncCheck syncCheck, PendingBytes budget, LedgerSettings settings) {
        this.client = client;
        this.syncCheck = syncCheck;
        this.budget = budget;
        this.settings = settings;
    }

    /** Under which name the managed ledger of this life of a partition is kept. */
    public static String name(PartitionSpec spec) {
        return "keptlog-" + spec.ref().toString().replace('/', '-') + "-" + Long.toHexString(spec.incarnation());
    }

    /** What is kept of a partition's openings beside its ledgers. */
    public interface OpeningRecord {
        /** Number of this opening, durable before the first append; larger than all before. */
        long next();

        /** The newest ledger that had messages; −1 when none is known. */
        default long filledLedger() {
            return -1;
        }

        /** A ledger has messages now. */
        default void filled(long ledgerId) {}
    }

    /**
     * @param isNew whether no owner has opened this life before: only then a missing managed ledger is made
     * @param producers where copies of what it remembers of producers are kept
     * @throws KeptlogException PARTITION_DAMAGED when the managed ledger is gone or its end cannot be read as a frame, QUORUM_UNAVAILABLE
     */
    public PartitionLog open(
            PartitionSpec spec, QuorumPolicy policy, boolean isNew, OpeningRecord record, ProducerCopies producers) {
        var deadline = Deadline.in(settings.openTimeout());
        ManagedLedgerConfig config = ManagedLedgers.config(policy, isNew);
        var interceptor = new LaneInterceptor(config);
        config.setManagedLedgerInterceptor(interceptor);
        requireFilledLedger(spec, record.filledLedger(), deadline);
        try {
            var ledger = (ManagedLedgerImpl) client.open(name(spec), config, deadline);
            try {
                return assemble(spec, ledger, interceptor, record, producers, deadline);
            } catch (RuntimeException e) {
                // The library would give the same instance to the next opening, however old it is by then.
                ManagedLedgers.close(ledger, Deadline.in(settings.readTimeout()));
                throw e;
            }
        } catch (ExecutionException e) {
            return refused(spec, policy, Waits.unwrap(e));
        } catch (TimeoutException e) {
            throw KeptlogException.retryable(
                    ErrorCode.QUORUM_UNAVAILABLE, "Partition " + spec.ref() + " could not be opened in time.", 1);
        }
    }

    /** The library strikes a last ledger that BookKeeper does not know off its list, and goes on without what it held. */
    private void requireFilledLedger(PartitionSpec spec, long ledgerId, Deadline deadline) {
        if (ledgerId < 0) {
            return;
        }
        for (LedgerView view : LedgerViews.stored(client, name(spec), deadline)) {
            if (view.ledgerId() == ledgerId && view.policy() == null) {
                throw new KeptlogException(
                        ErrorCode.PARTITION_DAMAGED,
                        "Ledger " + ledgerId + " of partition " + spec.ref()
                                + " had messages, and BookKeeper does not know it any more.");
            }
        }
    }

    private LedgerLog assemble(
            PartitionSpec spec,
            ManagedLedgerImpl ledger,
            LaneInterceptor interceptor,
            OpeningRecord record,
            ProducerCopies copies,
            Deadline deadline) {
        var reader = new EntryReader(client, spec.incarnation());
        TrimmedTail trimmed = TrimmedTail.from(ledger.getProperties());
        FrameChain tail = trimmed == null ? FrameChain.beginning(spec.incarnation()) : trimmed.chain();
        Position last = ledger.getLastConfirmedEntry();
        var place = new OffsetLocator.Place(last.getLedgerId(), last.getEntryId());
        NavigableMap<Long, Long> entries = LedgerEntries.confirmed(ledger, place);
        if (last.getEntryId() >= 0 && entries.containsKey(last.getLedgerId())) {
            tail = chainAfter(reader.one(place.ledgerId(), place.entryId(), deadline));
        } else {
            place = new OffsetLocator.Place(-1, -1);
        }
        long epoch = Math.max(record.next(), tail.epoch() + 1);
        var lane = new AppendLane[1];
        OffsetLocator.Place tailPlace = place;
        var reads = new LedgerReads(
                () -> LedgerEntries.confirmed(ledger, lane[0] == null ? tailPlace : lane[0].confirmedPlace()),
                reader,
                new RecentFrames(settings.recentBytes()),
                settings.readTimeout());
        long firstOffset = firstOffset(reads, entries, trimmed, tail, deadline);
        ProducerCopies.Copy copy = copies.read();
        var start = new AppendLane.LaneStart(
                spec.incarnation(), epoch, tail, place, producers(copy, reads, firstOffset, tail, deadline));
        lane[0] = new AppendLane(ledger, interceptor, reads, budget, settings.clock(), start);
        var copier = new ProducerCopier(
                ledger.getName(),
                lane[0],
                copies,
                copy != null,
                copy == null ? new ProducerCopies.Copy(0, List.of()) : copy);
        var roller = new LedgerRoller(
                ledger, interceptor, client, spec.options().segmentSizeBytes(), settings.ledgerAgeMillis());
        roller.begin();
        var parts =
                new LogParts(spec, client, ledger, lane[0], reads, roller, copier, syncCheck, settings, record, epoch);
        return new LedgerLog(parts, firstOffset, trimmed == null ? Gap.Reason.RETENTION : trimmed.reason());
    }

    /** The newest copy, and what came after it. */
    private static LaneProducers producers(
            ProducerCopies.@Nullable Copy copy,
            LedgerReads reads,
            long firstOffset,
            FrameChain tail,
            Deadline deadline) {
        if (copy == null) {
            return new LaneProducers(new ProducerStates(), false);
        }
        var states = new ProducerStates(copy.producers());
        reads.frames(Math.max(copy.endOffset(), firstOffset), tail.endOffset(), deadline, frame -> {
            FrameHeader header = frame.header();
            if (header.producer() != null) {
                states.applied(
                        header.producer(),
                        header.count(),
                        header.baseOffset(),
                        header.epoch(),
                        header.appendTimeMicros());
            }
        });
        return new LaneProducers(states, true);
    }

    private static FrameChain chainAfter(StoredFrame last) {
        return new FrameChain(
                last.endOffset(),
                last.headerCrc(),
                last.header().epoch(),
                last.header().appendTimeMicros());
    }

    /** The oldest frame may lie below what a trim has promised to be gone, when the trim was cut short. */
    private static long firstOffset(
            LedgerReads reads,
            NavigableMap<Long, Long> entries,
            @Nullable TrimmedTail trimmed,
            FrameChain tail,
            Deadline deadline) {
        long promised = trimmed == null ? 0 : trimmed.firstOffset();
        if (entries.isEmpty()) {
            return tail.endOffset();
        }
        return Math.max(
                promised, reads.locator().first(entries.firstKey(), deadline).baseOffset());
    }

    private PartitionLog refused(PartitionSpec spec, QuorumPolicy policy, Throwable cause) {
        if (cause instanceof ManagedLedgerException.ManagedLedgerNotFoundException
                || cause instanceof ManagedLedgerException.MetadataNotFoundException) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_DAMAGED,
                    "Partition " + spec.ref() + " had data, and its list of ledgers is gone from the metadata store.");
        }
        String shortage = client.bookies().shortage(policy, Deadline.in(settings.readTimeout()));
        if (shortage != null) {
            return readOnly(spec, shortage);
        }
        if (notEnough(cause)) {
            return readOnly(
                    spec, "A new ledger needs " + policy.ensembleSize() + " bookies, and BookKeeper found fewer");
        }
        throw new KeptlogException(
                ErrorCode.QUORUM_UNAVAILABLE,
                "Partition " + spec.ref() + " could not be opened: " + cause.getMessage(),
                null,
                1,
                Map.of(),
                cause);
    }

    private static boolean notEnough(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof BKException.BKNotEnoughBookiesException) {
                return true;
            }
        }
        return String.valueOf(cause.getMessage()).contains("Not enough non-faulty bookies");
    }

    /** Serves what is stored while no new ledger can be made. */
    private PartitionLog readOnly(PartitionSpec spec, String shortage) {
        var deadline = Deadline.in(settings.openTimeout());
        var entries = new TreeMap<Long, Long>();
        TrimmedTail trimmed = null;
        long sizeBytes = 0;
        try {
            ManagedLedgerInfo info = client.info(name(spec), deadline);
            trimmed = info.properties == null ? null : TrimmedTail.from(info.properties);
            for (ManagedLedgerInfo.LedgerInfo one : info.ledgers) {
                sizeBytes += one.size == null ? 0 : one.size;
                long count = one.entries == null ? 0 : one.entries;
                if (count == 0) {
                    ReadHandle handle = Waits.result(client.openLedger(one.ledgerId, true), deadline);
                    count = handle.getLastAddConfirmed() + 1;
                    var ignored = handle.closeAsync();
                }
                if (count > 0) {
                    entries.put(one.ledgerId, count);
                }
            }
        } catch (ExecutionException | TimeoutException e) {
            if (!(e.getCause() instanceof ManagedLedgerException.MetadataNotFoundException)
                    && !(e.getCause() instanceof ManagedLedgerException.ManagedLedgerNotFoundException)) {
                throw KeptlogException.retryable(
                        ErrorCode.QUORUM_UNAVAILABLE,
                        "Partition " + spec.ref() + " can neither be recovered nor read now: " + Waits.unwrap(e),
                        1);
            }
        }
        var reader = new EntryReader(client, spec.incarnation());
        var reads = new LedgerReads(
                () -> new TreeMap<>(entries), reader, new RecentFrames(settings.recentBytes()), settings.readTimeout());
        FrameChain tail = trimmed == null ? FrameChain.beginning(spec.incarnation()) : trimmed.chain();
        if (!entries.isEmpty()) {
            tail = chainAfter(reader.one(entries.lastKey(), entries.lastEntry().getValue() - 1, deadline));
        }
        return new ReadOnlyLog(
                spec,
                reads,
                tail,
                firstOffset(reads, entries, trimmed, tail, deadline),
                entries,
                sizeBytes,
                shortage + "; the partition is served read-only.");
    }
}
