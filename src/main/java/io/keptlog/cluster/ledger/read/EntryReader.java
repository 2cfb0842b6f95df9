// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;

/**
 * Reads a partition's entries from the bookies, checks each. Thread-safe; keeps a few ledgers open. The caller knows which entries are
 * confirmed: handles do not fence, and a handle's own idea of the end is not asked.
 */
public final class EntryReader implements AutoCloseable {
    private static final int OPEN_LEDGERS_MAX = 8;

    private final LedgerClient client;
    private final long incarnation;
    private final Map<Long, CompletableFuture<ReadHandle>> handles = new LinkedHashMap<>(16, 0.75f, true);

    public EntryReader(LedgerClient client, long incarnation) {
        this.client = client;
        this.incarnation = incarnation;
    }

    public StoredFrame one(long ledgerId, long entryId, Deadline deadline) {
        return range(ledgerId, entryId, entryId, deadline).getFirst();
    }

    /**
     * @param last inclusive
     * @throws KeptlogException PARTITION_DAMAGED, QUORUM_UNAVAILABLE (no bookie that has an entry answers), PARTITION_READ_TIMEOUT
     */
    public List<StoredFrame> range(long ledgerId, long first, long last, Deadline deadline) {
        try {
            ReadHandle handle = Waits.result(handle(ledgerId), deadline);
            return parse(Waits.result(handle.readUnconfirmedAsync(first, last), deadline), ledgerId);
        } catch (TimeoutException e) {
            forget(ledgerId);
            throw new KeptlogException(
                    ErrorCode.PARTITION_READ_TIMEOUT,
                    "Entries " + first + " to " + last + " of ledger " + ledgerId + " did not arrive in time.");
        } catch (ExecutionException e) {
            forget(ledgerId);
            throw refusal(ledgerId, first, last, Waits.unwrap(e));
        }
    }

    private List<StoredFrame> parse(LedgerEntries entries, long ledgerId) {
        var frames = new ArrayList<StoredFrame>();
        try (entries) {
            for (LedgerEntry entry : entries) {
                frames.add(StoredFrame.parse(entry.getEntryBytes(), ledgerId, entry.getEntryId(), incarnation));
            }
        }
        return frames;
    }

    private static KeptlogException refusal(long ledgerId, long first, long last, Throwable cause) {
        String what = "Entries " + first + " to " + last + " of ledger " + ledgerId;
        // A corrupt copy answers "unknown", never "no such entry" (BookKeeper #2908): only a digest that does not fit
        // is damage.
        if (cause instanceof BKException.BKDigestMatchException) {
            return damaged(what + ": no copy has the right checksum.", cause);
        }
        if (cause instanceof BKException.BKNoSuchLedgerExistsOnMetadataServerException) {
            return damaged(what + ": BookKeeper does not know the ledger any more.", cause);
        }
        return new KeptlogException(
                ErrorCode.QUORUM_UNAVAILABLE,
                what + " cannot be read from their bookies now: " + cause.getMessage(),
                null,
                1,
                Map.of(),
                cause);
    }

    private static KeptlogException damaged(String reason, Throwable cause) {
        return new KeptlogException(ErrorCode.PARTITION_DAMAGED, reason, null, 0, Map.of(), cause);
    }

    private synchronized CompletableFuture<ReadHandle> handle(long ledgerId) {
        CompletableFuture<ReadHandle> handle = handles.computeIfAbsent(ledgerId, client::openForRead);
        if (handles.size() > OPEN_LEDGERS_MAX) {
            var eldest = handles.entrySet().iterator();
            CompletableFuture<ReadHandle> gone = eldest.next().getValue();
            eldest.remove();
            release(gone);
        }
        return handle;
    }

    public synchronized void forget(long ledgerId) {
        CompletableFuture<ReadHandle> handle = handles.remove(ledgerId);
        if (handle != null) {
            release(handle);
        }
    }

    /** Reads that still use the handle get their entries or an error; closing a read handle only ends its watch. */
    private static void release(CompletableFuture<ReadHandle> handle) {
        var ignored = handle.thenCompose(ReadHandle::closeAsync);
    }

    @Override
    public synchronized void close() {
        handles.values().forEach(EntryReader::release);
        handles.clear();
    }
}
