// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.LedgerViews;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.append.AppendLane;
import io.keptlog.cluster.ledger.append.LanePhase;
import io.keptlog.cluster.ledger.append.ProducerCopier;
import io.keptlog.cluster.ledger.read.LedgerReads;
import io.keptlog.cluster.ledger.read.OffsetLocator;
import io.keptlog.cluster.ledger.read.StoredFrame;
import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.SyncTarget;
import io.keptlog.storage.TailWatch;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.jspecify.annotations.Nullable;

/**
 * A partition's log in the hands of its owner. An append returns when the ack quorum has the batch on stable storage, so everything that
 * is visible is persisted, and no offset is told to anybody before it is final. Thread-safe. A crash leaves what the quorum has; the next
 * owner finds it. Throws NOT_PRIMARY once another owner has taken over (nothing stored).
 */
public final class LedgerLog implements PartitionLog, SyncTarget, AutoCloseable {
    private final PartitionSpec spec;
    private final LedgerClient client;
    private final ManagedLedgerImpl ledger;
    private final AppendLane lane;
    private final LedgerReads reads;
    private final LedgerRoller roller;
    private final LedgerTrimmer trimmer;
    private final ProducerCopier producers;
    private final SyncCheck syncCheck;
    private final LedgerSettings settings;
    private final FilledLedger filled;
    private final long epoch;

    private volatile long firstOffset;
    private volatile Gap.Reason trimReason;

    LedgerLog(LogParts parts, long firstOffset, Gap.Reason trimReason) {
        this.spec = parts.spec();
        this.client = parts.client();
        this.ledger = parts.ledger();
        this.lane = parts.lane();
        this.reads = parts.reads();
        this.roller = parts.roller();
        this.syncCheck = parts.syncCheck();
        this.settings = parts.settings();
        this.filled = new FilledLedger(ledger.getName(), parts.record());
        this.epoch = parts.epoch();
        this.trimmer = new LedgerTrimmer(ledger);
        this.producers = parts.producers();
        this.firstOffset = firstOffset;
        this.trimReason = trimReason;
    }

    @Override
    public PartitionSpec spec() {
        return spec;
    }

    @Override
    public Appended append(MessageBatch batch, Deadline deadline) {
        boolean persisted = spec.options().durability() == Durability.PERSISTED;
        if (persisted) {
            syncCheck.refuseUnverified(roller.ensemble());
        }
        producers.beforeAppend(batch);
        Appended appended = lane.append(batch, deadline, roller::stored);
        // The ledger may have changed on the way, and its ensemble with it.
        if (persisted && !syncCheck.allVerified(roller.ensemble())) {
            throw notVerified();
        }
        return appended;
    }

    private KeptlogException notVerified() {
        return new KeptlogException(
                ErrorCode.SYNC_FAILED,
                "Stored, but not shown to be on stable storage: not all of the bookies " + roller.ensemble()
                        + " are verified to sync their journals.");
    }

    @Override
    public SyncTarget tail() {
        return this;
    }

    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        if (!lane.awaitConfirmed(end, deadline)) {
            throw new KeptlogException(
                    ErrorCode.PRODUCE_TIMEOUT, "The ack quorum has not confirmed offset " + (end - 1) + " in time.");
        }
        try {
            return evidence(end, deadline);
        } catch (KeptlogException e) {
            throw SyncCheck.afterAppend(e);
        }
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        return SyncCheck.requirePersisted(awaitReplicated(end, deadline));
    }

    private Evidence evidence(long end, Deadline deadline) {
        OffsetLocator.Place place = lane.confirmedPlace();
        if (end != lane.confirmedEnd() && end > firstOffset) {
            StoredFrame near = reads.recent(end - 1);
            place = near != null
                    ? new OffsetLocator.Place(near.ledgerId(), near.entryId())
                    : reads.locator().atOrBefore(end - 1, entries(), deadline);
        }
        if (place.entryId() < 0) {
            return Evidence.ON_STABLE_STORAGE;
        }
        QuorumPolicy policy = client.quorum(place.ledgerId(), deadline);
        Durability reached = syncCheck.allVerified(roller.ensemble()) ? Durability.PERSISTED : Durability.REPLICATED;
        return new Evidence(
                reached, Evidence.StoredIn.ACK_QUORUM, policy.ackQuorum(), place.ledgerId(), place.entryId());
    }

    /** Everything confirmed is on the journals of an ack quorum already. */
    @Override
    public void kick() {}

    @Override
    public long persistedEnd() {
        return lane.confirmedEnd();
    }

    @Override
    public Slice read(long fromOffset, int maxMessages, long maxBytes, Visibility visibility) {
        return reads.read(fromOffset, maxMessages, maxBytes, firstOffset, lane.confirmedEnd(), epoch, trimReason);
    }

    @Override
    public TailWatch watch(Visibility visibility) {
        return lane.watch();
    }

    @Override
    public long offsetAt(long timestampMicros, Visibility visibility) {
        return reads.offsetAt(timestampMicros, firstOffset, lane.confirmedEnd());
    }

    @Override
    public LogStatus status() {
        long end = lane.confirmedEnd();
        int ledgers = Math.max(1, entries().size());
        LogStatus.State state =
                switch (lane.phase()) {
                    case OPEN, DRAINING -> LogStatus.State.OPEN;
                    case STALLED -> LogStatus.State.READ_ONLY;
                    case FENCED -> LogStatus.State.FENCED;
                    case CLOSED -> LogStatus.State.CLOSED;
                };
        return new LogStatus(firstOffset, end, end, end, epoch, ledgers, ledger.getTotalSize(), AtRisk.NOTHING, state);
    }

    /** Ledger id → confirmed entries. */
    public NavigableMap<Long, Long> entries() {
        return LedgerEntries.confirmed(ledger, lane.confirmedPlace());
    }

    @Override
    public List<SealedSegment> sealedSegments() {
        return reads.sealed(roller.currentLedger(), sizes());
    }

    private Map<Long, Long> sizes() {
        var sizes = new TreeMap<Long, Long>();
        ledger.getLedgersInfo().values().forEach(info -> sizes.put(info.getLedgerId(), info.getSize()));
        return sizes;
    }

    @Override
    public synchronized List<SealedSegment> deleteSegments(long endOffset, Gap.Reason reason) {
        List<SealedSegment> gone = sealedSegments().stream()
                .filter(s -> s.endOffset() <= endOffset)
                .toList();
        if (gone.isEmpty()) {
            return gone;
        }
        long newFirst = gone.getLast().endOffset();
        producers.requireCopied(newFirst);
        var deadline = Deadline.in(settings.openTimeout());
        OffsetLocator.Place last = reads.locator().atOrBefore(newFirst - 1, entries(), deadline);
        // The first offset moves before the bytes go: a reader is told of the gap, not of damage.
        firstOffset = newFirst;
        trimReason = reason;
        try {
            trimmer.trimThrough(
                    last.ledgerId(),
                    last.entryId() + 1,
                    new TrimmedTail(lane.confirmedChain(), newFirst, reason),
                    deadline);
        } catch (ExecutionException | TimeoutException e) {
            throw new KeptlogException(
                    ErrorCode.QUORUM_UNAVAILABLE,
                    "The oldest ledgers could not be deleted now: " + Waits.unwrap(e),
                    null,
                    1,
                    Map.of(),
                    e);
        }
        reads.locator().forgetBefore(newFirst);
        return gone;
    }

    /** Whether only a new opening helps. */
    public boolean lost() {
        return lane.phase() == LanePhase.FENCED;
    }

    /** Called about once a second by the owner: lets stalled writes go on, rolls what is due. */
    public void maintain(QuorumPolicy policy) {
        var deadline = Deadline.in(settings.readTimeout());
        String shortage = client.bookies().shortage(policy, deadline);
        lane.resumeWhenPossible(shortage);
        roller.maintain(policy, shortage == null, deadline);
        producers.copyWhenDue();
        filled.note(lane.confirmedPlace());
    }

    /** The next append is the last of its ledger, when the next ledger can be made. */
    public void requestRoll() {
        roller.request();
    }

    /** The ledger that takes appends, or null before the first one. */
    public @Nullable Long openLedger() {
        return roller.currentLedger();
    }

    /** Bookies of the ledger in use, as it was looked up last. */
    public List<String> ensemble() {
        return roller.ensemble();
    }

    /** Ends the ledger in use while another one can be made: now when nothing is on its way, else with the next append. */
    public void endLedger() {
        roller.end(lane);
    }

    /** Every ledger that holds frames of this partition, and the open one. */
    public List<LedgerView> ledgers() {
        return LedgerViews.of(client, ledger.getLedgersInfo().keySet(), entries(), Deadline.in(settings.readTimeout()));
    }

    /** Refuses new appends and waits for the answers of those in flight. */
    public boolean drain(Deadline deadline) {
        lane.close();
        boolean idle = lane.awaitIdle(deadline);
        if (!deadline.passed()) {
            producers.copyBeforeHandover();
            filled.noteIfPossible(lane.confirmedPlace());
        }
        return idle;
    }

    /** Gives the partition up; the ledger is closed at its confirmed end when that is possible, else the next owner does it. */
    @Override
    public void close() {
        lane.close();
        reads.close();
        ManagedLedgers.close(ledger, Deadline.in(settings.readTimeout()));
    }
}
