// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Per life of a partition: an ephemeral lock that says which broker owns it, and a durable record: how often it was opened, and the
 * newest ledger that has messages.
 * The lock decides who tries; BookKeeper's fencing decides who can. Thread-safe.
 */
public final class PartitionLocks {
    private static final String OWNERS = Metadata.ROOT + "/owners/";
    private static final String RECORDS = Metadata.ROOT + "/partitions/";

    private final Metadata metadata;

    public PartitionLocks(Metadata metadata) {
        this.metadata = metadata;
    }

    /** The partition whose lock a changed path is, or null. */
    public static @Nullable String partitionOf(String path) {
        return path.startsWith(OWNERS) ? path.substring(OWNERS.length()) : null;
    }

    /** @return whether this session holds the lock now */
    public boolean acquire(String partition, String brokerId) {
        String path = OWNERS + partition;
        if (metadata.createEphemeral(path, brokerId.getBytes(StandardCharsets.UTF_8))) {
            return true;
        }
        Metadata.Value held = metadata.get(path);
        return held != null && held.mine();
    }

    /** The owner's broker id, or null. */
    public @Nullable String owner(String partition) {
        Metadata.Value held = metadata.get(OWNERS + partition);
        return held == null ? null : new String(held.bytes(), StandardCharsets.UTF_8);
    }

    /** Nothing happens when this session does not hold it. */
    public void release(String partition) {
        Metadata.Value held = metadata.get(OWNERS + partition);
        if (held != null && held.mine()) {
            metadata.delete(OWNERS + partition);
        }
    }

    /** Durable before the catalog may name the partition. Repeatable. */
    public void prepare(String partition) {
        metadata.create(RECORDS + partition, "0".getBytes(StandardCharsets.UTF_8));
    }

    /** How often it was opened; −1 when there is no record. */
    public long openings(String partition) {
        Metadata.Value value = metadata.get(RECORDS + partition);
        return value == null ? -1 : Openings.parse(value).openings();
    }

    /** Counts one more opening, durable. Larger than every number given before. */
    public long nextOpening(String partition) {
        return change(partition, r -> new Openings(r.openings() + 1, r.filledLedger()))
                .openings();
    }

    /** The newest ledger that is known to have messages; −1 when none is. */
    public long filledLedger(String partition) {
        Metadata.Value value = metadata.get(RECORDS + partition);
        return value == null ? -1 : Openings.parse(value).filledLedger();
    }

    /** Durable when this returns; never goes back to an older ledger. */
    public void filled(String partition, long ledgerId) {
        change(partition, r -> new Openings(r.openings(), Math.max(r.filledLedger(), ledgerId)));
    }

    private Openings change(String partition, UnaryOperator<Openings> next) {
        while (true) {
            Metadata.Value value = metadata.get(RECORDS + partition);
            if (value == null) {
                throw new IllegalStateException("partition " + partition + " has no record");
            }
            Openings changed = next.apply(Openings.parse(value));
            OptionalLong version = metadata.replace(RECORDS + partition, changed.bytes(), value.version());
            if (version.isPresent()) {
                return changed;
            }
        }
    }

    /** {@code openings} or {@code openings,ledger}. */
    private record Openings(long openings, long filledLedger) {
        static Openings parse(Metadata.Value value) {
            String[] parts = new String(value.bytes(), StandardCharsets.UTF_8).split(",", -1);
            return new Openings(Long.parseLong(parts[0]), parts.length > 1 ? Long.parseLong(parts[1]) : -1);
        }

        byte[] bytes() {
            return (openings + (filledLedger < 0 ? "" : "," + filledLedger)).getBytes(StandardCharsets.UTF_8);
        }
    }

    public void forget(String partition) {
        metadata.delete(RECORDS + partition);
    }
}
