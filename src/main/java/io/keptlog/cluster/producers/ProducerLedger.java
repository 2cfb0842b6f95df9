// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.producers;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.append.ProducerCopies;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.storage.producer.ProducerCodec;
import io.keptlog.storage.producer.ProducerStates;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one partition's producers: a closed ledger with one entry ({@link ProducerCodec}), and a value in the metadata store that
 * says {@code end offset,ledger id} (−1 = nobody is remembered). A newer copy takes the place of an older one by compare-and-set; a crash
 * in between leaves the older one, and a small ledger that nobody points to. Thread-safe.
 */
public final class ProducerLedger implements ProducerCopies {
    private static final int WAIT_MILLIS = 10_000;
    private static final long NO_LEDGER = -1;

    private final LedgerClient client;
    private final Metadata metadata;
    private final Supplier<QuorumPolicy> policy;
    private final String path;

    public ProducerLedger(LedgerClient client, Metadata metadata, Supplier<QuorumPolicy> policy, String partition) {
        this.client = client;
        this.metadata = metadata;
        this.policy = policy;
        this.path = "/keptlog/producers/" + partition;
    }

    private record Pointer(long endOffset, long ledgerId, long version) {}

    private @Nullable Pointer pointer() {
        Metadata.Value value = metadata.get(path);
        if (value == null) {
            return null;
        }
        String[] parts = new String(value.bytes(), StandardCharsets.UTF_8).split(",", -1);
        return new Pointer(Long.parseLong(parts[0]), Long.parseLong(parts[1]), value.version());
    }

    @Override
    public @Nullable Copy read() {
        Pointer pointer = pointer();
        if (pointer == null) {
            return null;
        }
        if (pointer.ledgerId() == NO_LEDGER) {
            return new Copy(pointer.endOffset(), List.of());
        }
        var deadline = Deadline.inMillis(WAIT_MILLIS);
        try {
            ReadHandle handle = Waits.result(client.openLedger(pointer.ledgerId(), false), deadline);
            try (LedgerEntries entries = Waits.result(handle.readAsync(0, 0), deadline)) {
                return new Copy(pointer.endOffset(), decode(entries.getEntry(0).getEntryBytes(), pointer.ledgerId()));
            } finally {
                var ignored = handle.closeAsync();
            }
        } catch (ExecutionException | TimeoutException e) {
            throw unavailable("What is remembered of producers cannot be read now", e);
        }
    }

    private static List<io.keptlog.storage.producer.ProducerState> decode(byte[] entry, long ledgerId) {
        ProducerStates states = ProducerCodec.decode(entry);
        if (states == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_DAMAGED, "Ledger " + ledgerId + " is no copy of a partition's producers.");
        }
        return states.list();
    }

    @Override
    public void write(Copy copy) {
        Pointer before = pointer();
        if (before != null && before.endOffset() >= copy.endOffset()) {
            return;
        }
        long ledgerId = copy.producers().isEmpty() ? NO_LEDGER : store(copy);
        byte[] value = (copy.endOffset() + "," + ledgerId).getBytes(StandardCharsets.UTF_8);
        boolean moved = before == null
                ? metadata.create(path, value)
                : metadata.replace(path, value, before.version()).isPresent();
        if (moved) {
            delete(before == null ? NO_LEDGER : before.ledgerId());
        } else {
            // Somebody else has written one meanwhile; whichever reaches further stays.
            delete(ledgerId);
            write(copy);
        }
    }

    private long store(Copy copy) {
        var deadline = Deadline.inMillis(WAIT_MILLIS);
        try {
            WriteHandle ledger = Waits.result(
                    client.createLedger(policy.get(), Map.of("keptlog", path.getBytes(StandardCharsets.UTF_8))),
                    deadline);
            Waits.result(ledger.appendAsync(ProducerCodec.encode(copy.producers())), deadline);
            Waits.result(ledger.closeAsync(), deadline);
            return ledger.getId();
        } catch (ExecutionException | TimeoutException e) {
            throw unavailable("No ledger can be made for what is remembered of producers", e);
        }
    }

    private void delete(long ledgerId) {
        if (ledgerId != NO_LEDGER) {
            var ignored = client.deleteLedger(ledgerId);
        }
    }

    /** The partition's life is over. @return the ledger to delete, or null */
    public @Nullable Long remove() {
        Pointer pointer = pointer();
        if (pointer == null) {
            return null;
        }
        metadata.delete(path);
        return pointer.ledgerId() == NO_LEDGER ? null : (Long) pointer.ledgerId();
    }

    private static KeptlogException unavailable(String what, Exception e) {
        return new KeptlogException(
                ErrorCode.QUORUM_UNAVAILABLE, what + ": " + Waits.unwrap(e).getMessage(), null, 1, Map.of(), e);
    }
}
